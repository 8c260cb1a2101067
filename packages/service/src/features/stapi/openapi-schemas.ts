import { ORDER_PRIORITIES } from "@swath/kernel/tasking/order-priority";

export type Part = Readonly<Record<string, unknown>>;

export const TEXT = { type: "string" };
const INSTANT = { type: "string", format: "date-time" };
const TERM = { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$" };
const TERMS = { type: "array", items: TERM, minItems: 1, maxItems: 10, uniqueItems: true };
/** A text with a character other than a space, and without control characters. */
const named = (maxLength: number): Part => ({ type: "string", minLength: 1, maxLength, pattern: "^[!-~]+( [!-~]+)*$" });

function list(items: Part): Part {
  return { type: "array", items };
}

function closed(required: readonly string[], properties: Part): Part {
  return { type: "object", required, properties, additionalProperties: false };
}

function open(required: readonly string[], properties: Part): Part {
  return { type: "object", required, properties };
}

const LINK = open(["href", "rel"], {
  href: { type: "string", format: "uri" },
  rel: TEXT,
  type: TEXT,
  title: TEXT,
  method: { type: "string", enum: ["GET", "POST"] },
  body: { type: "object" },
});
const LINKS = list(LINK);
const CLASSES = list(TEXT);
const LONGITUDE = { type: "number", minimum: -180, maximum: 180 };
const POSITION = { type: "array", minItems: 2, maxItems: 2, items: LONGITUDE };
const RING = { type: "array", minItems: 4, maxItems: 250, items: POSITION };
const POINT = closed(["type", "coordinates"], { type: { type: "string", enum: ["Point"] }, coordinates: POSITION });
const POLYGON = closed(["type", "coordinates"], {
  type: { type: "string", enum: ["Polygon"] },
  coordinates: { type: "array", minItems: 1, maxItems: 1, items: RING },
});
const AREA = open(["type", "coordinates"], {
  type: { type: "string", enum: ["Polygon", "MultiPolygon"] },
  coordinates: { type: "array", items: {} },
});
const BOX = { type: "array", minItems: 4, maxItems: 4, items: { type: "number" } };

const REQUEST = {
  datetime: { type: "string", maxLength: 100, example: "2026-12-01T00:00:00Z/2026-12-09T00:00:00Z" },
  geometry: { oneOf: [POINT, POLYGON] },
  filter: { type: "object", description: "CQL2 JSON over the queryables of the product" },
};
const WORDS = { datetime: TEXT, geometry: { type: "object" }, filter: { type: "object" } };

export const OPPORTUNITY_REQUEST = closed(["datetime", "geometry"], {
  ...REQUEST,
  limit: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1, default: 10 },
  next: { type: "string", minLength: 1, maxLength: 512 },
});

export const ORDER_REQUEST = closed(["datetime", "geometry", "order_parameters"], {
  ...REQUEST,
  order_parameters: closed(["opportunity_id"], {
    opportunity_id: named(64),
    name: named(200),
    project_name: named(200),
    analysis_id: named(64),
    priority: { type: "string", enum: ORDER_PRIORITIES },
    ingest_products: TERMS,
    derivative_product_types: TERMS,
    exclusivity: TERM,
    catalog_collection: TERM,
    delivery_location_id: TERM,
    eula: TERM,
    sla: TERM,
  }),
});

function status(codes: readonly string[]): Part {
  return open(["timestamp", "status_code", "links"], {
    timestamp: INSTANT,
    status_code: { type: "string", enum: codes },
    reason_code: TEXT,
    reason_text: TEXT,
    links: LINKS,
  });
}

const ORDER_ENDS = ["completed", "rejected", "cancelled", "user_cancelled", "expired", "failed"];
const ORDER_STATUS = status(["received", "reserved", "accepted", "tasked", ...ORDER_ENDS]);
const SEARCH_STATUS = status(["received", "in_progress", "completed", "cancelled", "failed"]);

export const ROOT = open(["id", "conformsTo", "links"], { id: TEXT, conformsTo: CLASSES, links: LINKS });
export const CONFORMANCE_CLASSES = open(["conformsTo"], { conformsTo: CLASSES });
export const PRODUCT = open(["type", "id", "license", "links"], {
  type: { type: "string", enum: ["Collection"] },
  id: TEXT,
  license: TEXT,
  conformsTo: CLASSES,
  links: LINKS,
});
export const PRODUCTS = open(["products", "links"], { products: list(PRODUCT), links: LINKS });
export const JSON_SCHEMA = open(["type", "properties"], { type: TEXT, properties: { type: "object" } });

const FEATURE = { type: { type: "string", enum: ["Feature"] }, id: TEXT, geometry: AREA, bbox: BOX, links: LINKS };
const OPPORTUNITY = open(["type", "id", "geometry", "bbox", "properties", "links"], {
  ...FEATURE,
  properties: open(["datetime", "product_id", "swath:credits"], {
    datetime: TEXT,
    product_id: TEXT,
    "swath:credits": { type: "number", minimum: 0 },
  }),
});
const COLLECTION = { type: { type: "string", enum: ["FeatureCollection"] }, links: LINKS };
export const OPPORTUNITIES = open(["type", "features", "links"], { ...COLLECTION, features: list(OPPORTUNITY) });

export const ORDER = open(["type", "id", "geometry", "bbox", "properties", "links"], {
  ...FEATURE,
  properties: open(
    ["product_id", "created", "status", "search_parameters", "opportunity_properties", "order_parameters"],
    {
      product_id: TEXT,
      created: INSTANT,
      status: ORDER_STATUS,
      search_parameters: open(["datetime", "geometry"], WORDS),
      opportunity_properties: { type: "object" },
      order_parameters: { type: "object" },
    },
  ),
});
export const ORDERS = open(["type", "features", "links"], { ...COLLECTION, features: list(ORDER) });
export const ORDER_STATUSES = open(["statuses", "links"], { statuses: list(ORDER_STATUS), links: LINKS });

export const SEARCH = open(["id", "product_id", "opportunity_request", "status", "links"], {
  id: TEXT,
  product_id: TEXT,
  opportunity_request: open(["datetime", "geometry"], WORDS),
  status: SEARCH_STATUS,
  links: LINKS,
});
export const SEARCHES = open(["search_records", "links"], { search_records: list(SEARCH), links: LINKS });
export const SEARCH_STATUSES = open(["statuses", "links"], { statuses: list(SEARCH_STATUS), links: LINKS });

export const ERROR = open(["code", "description"], { code: TEXT, description: TEXT });
