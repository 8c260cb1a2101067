import type { Order } from "@swath/contract/features/tasking/order-contract";
import { intervalText } from "../../tasking-providers/stapi/interval.ts";
import type { DescribedOrder } from "../tasking/orders/described-orders.ts";
import { GEOJSON_TYPE, JSON_TYPE, nextLinks, orderHref, productHref, rootOf, STAPI_VERSION } from "./link.ts";
import type { Page } from "./link.ts";
import { areaMembers } from "./opportunity.ts";
import { statusesOf } from "./order-statuses.ts";
import { productId } from "./product.ts";
import { shownDatetime } from "./search-document.ts";
import { snakeCase } from "./stapi-error.ts";

type Document = Readonly<Record<string, unknown>>;

/** The request of an order: as sent, or in the words of STAPI for an order that was placed elsewhere. */
function requestOf({ foreignRequest, order }: DescribedOrder): Document {
  if (foreignRequest !== null)
    return { ...foreignRequest, datetime: shownDatetime(String(foreignRequest["datetime"])) };
  const interval = { startMs: Date.parse(order.startTime), endMs: Date.parse(order.endTime) };
  return {
    datetime: intervalText(interval),
    geometry: order.originalGeometry,
    order_parameters: parametersOf(order),
  };
}

function parametersOf({ analysisId, name, orderOptions = {}, priority, projectName, windowId }: Order): Document {
  const { maxCloudCover: _clouds, provider: _provider, ...options } = orderOptions;
  const members = Object.entries({ name, projectName, analysisId, priority, ...options });
  const given = members.filter(([, value]) => value !== undefined && value !== null);
  return {
    ...(windowId === null ? {} : { opportunity_id: windowId }),
    ...Object.fromEntries(given.map(([member, value]) => [snakeCase(member), value])),
  };
}

/** The STAPI order. */
export function orderDocument(described: DescribedOrder, baseUrl: string): Document {
  const { order, pass } = described;
  const { datetime, filter, geometry, order_parameters: parameters } = requestOf(described);
  const product = productId(order.provider, order.dataset, order.taskingType);
  const self = orderHref(baseUrl, order.id);
  return {
    type: "Feature",
    stapi_type: "Order",
    stapi_version: STAPI_VERSION,
    id: order.id,
    ...areaMembers(order.geometry),
    properties: {
      product_id: product,
      created: order.createdTime,
      status: statusesOf(described, baseUrl).at(-1),
      search_parameters: { datetime, geometry, ...(filter === undefined ? {} : { filter }) },
      opportunity_properties: {
        datetime: intervalText(pass),
        product_id: product,
        platform: pass.satellite,
        "swath:mode": pass.mode,
        "swath:credits": order.price,
      },
      order_parameters: parameters,
      "swath:name": order.name,
      "swath:credits": order.price,
      "swath:area_km2": order.areaKm2,
      "swath:max_cloud_cover": order.maxCloudCover,
    },
    links: [
      { rel: "self", href: self, type: GEOJSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      { rel: "monitor", href: `${self}/statuses`, type: JSON_TYPE },
      { rel: "product", href: productHref(baseUrl, product), type: JSON_TYPE },
    ],
  };
}

export function ordersDocument(orders: readonly DescribedOrder[], self: string, page: Page, baseUrl: string): Document {
  return {
    type: "FeatureCollection",
    features: orders.map((one) => orderDocument(one, baseUrl)),
    links: [
      { rel: "self", href: self, type: GEOJSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      ...nextLinks(self, page, GEOJSON_TYPE),
    ],
  };
}
