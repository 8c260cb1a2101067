"""A STAPI provider of stapi-fastapi on loopback, with orders in memory. Its address is the first line of its output.

Besides the routes of the standard, POST /test/orders/{id}/statuses appends a status with its links,
DELETE /orders/{id} cancels, and /files/ serves the folder of the first argument.
"""

import socket
import sys
import uuid
from datetime import UTC, datetime, timedelta

import uvicorn
from fastapi import Body, FastAPI, Request
from fastapi.staticfiles import StaticFiles
from geojson_pydantic import Polygon
from returns.maybe import Nothing, Some
from returns.result import Failure, Success
from stapi_fastapi.conformance import PRODUCT
from stapi_fastapi.errors import QueryablesError
from stapi_fastapi.models.product import Product
from stapi_fastapi.routers.root_router import RootRouter
from stapi_pydantic import (
    Link,
    Opportunity,
    OpportunityCollection,
    OpportunityProperties,
    OpportunitySearchRecord,
    OpportunitySearchStatus,
    OpportunitySearchStatusCode,
    Order,
    OrderParameters,
    OrderProperties,
    OrderSearchParameters,
    OrderStatus,
    OrderStatusCode,
    Queryables,
)

ORDERS: dict[str, Order] = {}
STATUSES: dict[str, list[OrderStatus]] = {}
SEARCHES: dict[str, OpportunitySearchRecord] = {}
COLLECTIONS: dict[str, OpportunityCollection] = {}
SERVED_SEARCHES: dict[str, int] = {}


class ClearSky(Queryables):
    cloud_percent: float


class Parameters(OrderParameters):
    reference: str | None = None
    urgency: str | None = None


class Properties(OpportunityProperties):
    pass


def page(items, token, limit):
    start = int(token) if token else 0
    end = start + limit
    return items[start:end], (Some(str(end)) if end < len(items) else Nothing)


def opportunities(router, search):
    """One a day, from the end of the interval to its start, ten minutes long."""
    start, end = search.datetime
    found = []
    day = start
    while day + timedelta(minutes=10) <= end:
        found.append(
            Opportunity(
                id=f"pass-{day.isoformat()}",
                type="Feature",
                geometry=search.geometry,
                properties=Properties(
                    datetime=(day, day + timedelta(minutes=10)),
                    product_id=router.product.id,
                    platform="acme-1",
                    **{"view:off_nadir": 12.5, "sat:orbit_state": "descending"},
                ),
            )
        )
        day += timedelta(days=1)
    return found[::-1]


async def search_now(router, search, token, limit, request):
    if search.filter is not None and search.filter["args"][1] < 1:
        return Failure(QueryablesError("cloud_percent below 1 is impossible"))
    found, following = page(opportunities(router, search), token, limit)
    return Success((found, following))


async def search_later(router, search, request):
    status = OpportunitySearchStatus(
        timestamp=datetime.now(UTC), status_code=OpportunitySearchStatusCode.received, links=[]
    )
    record = OpportunitySearchRecord(
        id=str(uuid.uuid4()), product_id=router.product.id, opportunity_request=search, status=status, links=[]
    )
    SEARCHES[record.id] = record
    COLLECTIONS[record.id] = OpportunityCollection(id=record.id, features=opportunities(router, search))
    return Success(record.model_copy(deep=True))


async def get_search(search_id, request):
    record = SEARCHES.get(search_id)
    if record is None:
        return Success(Nothing)
    SERVED_SEARCHES[search_id] = SERVED_SEARCHES.get(search_id, 0) + 1
    shown = record.model_copy(deep=True)
    if SERVED_SEARCHES[search_id] >= 3:
        shown.status.status_code = OpportunitySearchStatusCode.completed
        href = f"{request.base_url}products/{record.product_id}/opportunities/{search_id}"
        shown.links.append(Link(href=href, rel="opportunities", type="application/geo+json"))
    elif SERVED_SEARCHES[search_id] == 2:
        shown.status.status_code = OpportunitySearchStatusCode.in_progress
    return Success(Some(shown))


async def get_searches(token, limit, request):
    return Success(page(list(SEARCHES.values()), token, limit))


async def get_collection(router, collection_id, request):
    found = COLLECTIONS.get(collection_id)
    return Success(Nothing if found is None else Some(found.model_copy(deep=True)))


async def create_order(router, payload, request):
    if payload.order_parameters.urgency == "never":
        return Failure(QueryablesError("no urgency never"))
    status = OrderStatus.new(OrderStatusCode.received)
    order = Order(
        id=str(uuid.uuid4()),
        geometry=payload.geometry,
        properties=OrderProperties(
            product_id=router.product.id,
            created=datetime.now(UTC),
            status=status,
            search_parameters=OrderSearchParameters(
                geometry=payload.geometry, datetime=payload.datetime, filter=payload.filter
            ),
            opportunity_properties={},
            order_parameters=payload.order_parameters.model_dump(),
        ),
        links=[],
    )
    ORDERS[order.id] = order
    STATUSES[order.id] = [status]
    return Success(order.model_copy(deep=True))


async def get_orders(token, limit, request):
    orders = [order.model_copy(deep=True) for order in ORDERS.values()]
    found, following = page(orders, token, limit)
    return Success((found, following, Some(len(orders))))


async def get_order(order_id, request):
    order = ORDERS.get(order_id)
    return Success(Nothing if order is None else Some(order.model_copy(deep=True)))


async def get_order_statuses(order_id, token, limit, request):
    found = STATUSES.get(order_id)
    if found is None:
        return Success(Nothing)
    return Success(Some(page(found, token, limit)))


def product(name, **offers):
    return Product(
        id=name,
        title=name,
        license="proprietary",
        conformsTo=[PRODUCT.geojson_polygon],
        create_order=create_order,
        queryables=ClearSky,
        opportunity_properties=Properties,
        order_parameters=Parameters,
        **offers,
    )


root = RootRouter(
    get_orders=get_orders,
    get_order=get_order,
    get_order_statuses=get_order_statuses,
    get_opportunity_search_records=get_searches,
    get_opportunity_search_record=get_search,
)
later = {"search_opportunities_async": search_later, "get_opportunity_collection": get_collection}
root.add_product(product("now", search_opportunities=search_now))
root.add_product(product("later", **later))
root.add_product(product("both", search_opportunities=search_now, **later))
root.add_product(product("plain"))

app = FastAPI()
app.include_router(root)
app.mount("/files", StaticFiles(directory=sys.argv[1]))


def tell(order_id, status):
    STATUSES[order_id].append(status)
    ORDERS[order_id].properties.status = status


@app.post("/test/orders/{order_id}/statuses")
async def post_status(order_id: str, body: dict = Body()):  # noqa: B008
    tell(order_id, OrderStatus(**{"timestamp": datetime.now(UTC), **body}))
    return {}


@app.delete("/orders/{order_id}")
async def delete_order(order_id: str, request: Request):
    tell(order_id, OrderStatus.new(OrderStatusCode.cancelled))
    return {}


listening = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
