"""Orders by STAPI and validates every answer: `python stapi_models.py ROOT TOKEN PRODUCT`.

The answers are read by the models of stapi-pydantic, the schemas of products by jsonschema. The last line counts the models.
"""

import json
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from datetime import UTC, datetime, timedelta

from geojson_pydantic.geometries import Geometry
from jsonschema import Draft201909Validator
from pydantic import BaseModel, ConfigDict
from stapi_pydantic import (
    Link,
    OpportunityCollection,
    OpportunityProperties,
    OpportunitySearchRecord,
    OpportunitySearchRecords,
    OpportunitySearchStatus,
    Order,
    OrderCollection,
    OrderPayload,
    OrderStatus,
    OrderStatuses,
    Product,
    ProductsCollection,
    RootResponse,
)

root, token, product_id = sys.argv[1:4]
seen = Counter()
LONGEST_S = 240


class Classes(BaseModel):
    conformsTo: list[str]


class SearchStatuses(BaseModel):
    """The specification has no model of its own."""

    statuses: list[OpportunitySearchStatus]
    links: list[Link]


class Refusal(BaseModel):
    code: str
    description: str
    model_config = ConfigDict(extra="allow")


class Schema(BaseModel):
    """A JSON Schema of a product."""

    type: str
    properties: dict[str, dict]
    additionalProperties: bool


Opportunities = OpportunityCollection[Geometry, OpportunityProperties]


def ask(url, model, body=None, status=200, **headers):
    """The answer as its model and as JSON."""
    request = urllib.request.Request(url if url.startswith("http") else root + url)
    request.add_header("authorization", f"Bearer {token}")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = error
    text = answer.read().decode()
    assert answer.status == status, f"{url} answered {answer.status}, expected {status}: {text[:1000]}"
    document = json.loads(text)
    model.model_validate_json(text)
    assert document.get("stapi_version", "0.1.0") == "0.1.0"
    seen[model.__name__.split("[")[0]] += 1
    return document


def link(document, rel):
    return next((one for one in document["links"] if one["rel"] == rel), None)


def pages(url, model, member):
    """All entries of a list, by its next links."""
    found = []
    while url is not None:
        page = ask(url, model)
        found += page[member]
        url = (link(page, "next") or {}).get("href")
    return found


def until(url, model, latest, codes):
    """The document when its status is one of the codes."""
    deadline = time.monotonic() + LONGEST_S
    while True:
        document = ask(url, model)
        if latest(document)["status_code"] in codes:
            return document
        assert time.monotonic() < deadline, f"{url} is {latest(document)}"
        time.sleep(0.2)


landing = ask("", RootResponse)
assert ask("/conformance", Classes)["conformsTo"] == landing["conformsTo"] != []
products = pages("/products?limit=10", ProductsCollection, "products")
assert product_id in [one["id"] for one in products]
for product in products:
    assert any(name.startswith("https://geojson.org/schema/") for name in product["conformsTo"])
    assert ask(link(product, "self")["href"], Product) == product
    for rel in ("queryables", "order-parameters"):
        Draft201909Validator.check_schema(ask(link(product, rel)["href"], Schema))

start = datetime.now(UTC) + timedelta(days=2)
search = {
    "datetime": f"{start.isoformat()}/{(start + timedelta(days=7)).isoformat()}",
    "geometry": {"type": "Point", "coordinates": [153.15, -27.41]},
}
opportunities = f"/products/{product_id}/opportunities"
first = ask(opportunities, Opportunities, {**search, "limit": 2}, prefer="wait=60")
following = link(first, "next")
ids = [one["id"] for one in first["features"]]
while following is not None:
    page = ask(following["href"], Opportunities, following["body"])
    ids += [one["id"] for one in page["features"]]
    following = link(page, "next")
assert len(set(ids)) == len(ids) > 2, f"{len(ids)} opportunities"

filtered = {**search, "filter": {"op": "<=", "args": [{"property": "swath:credits"}, 1000000]}}
record = ask(opportunities, OpportunitySearchRecord, filtered, 201, prefer="respond-async")
record = until(link(record, "self")["href"], OpportunitySearchRecord, lambda one: one["status"], {"completed", "failed"})
ask(link(record, "monitor")["href"], SearchStatuses)
collection = ask(link(record, "opportunities")["href"], Opportunities)
assert record["id"] in [one["id"] for one in pages("/searches/opportunities", OpportunitySearchRecords, "search_records")]

create = link(collection["features"][0], "create-order")
# The parameters of a product are in its schema, not in the model.
OrderPayload.model_validate_json(json.dumps({**create["body"], "order_parameters": {}}))
order = ask(create["href"], Order, create["body"], 201, idempotency_key="stapi-models")
assert ask(create["href"], Order, create["body"], 201, idempotency_key="stapi-models")["id"] == order["id"]
ask(create["href"], Refusal, {**create["body"], "filter": {}}, 409, idempotency_key="stapi-models")
ask(create["href"], Refusal, {**create["body"], "datetime": f"{start.isoformat()}/.."}, 400)
ask("/orders/none", Refusal, None, 404)
assert order["id"] in [one["id"] for one in pages("/orders?limit=1", OrderCollection, "features")]
pages(f"/products/{product_id}/orders", OrderCollection, "features")

statuses = until(
    link(order, "monitor")["href"],
    OrderStatuses[OrderStatus],
    lambda one: one["statuses"][-1],
    {"completed", "failed", "expired", "rejected"},
)
codes = [one["status_code"] for one in statuses["statuses"]]
assert codes[-1] == "completed", codes
assert link(statuses["statuses"][-1], "item") is not None, "a delivered scene"
assert ask(link(order, "self")["href"], Order)["properties"]["status"]["status_code"] == "completed"
print(f"{len(seen)} models; statuses: {', '.join(codes)}")
