import { DEFAULT_ENTRIES } from "@swath/contract/features/stapi/requests";
import { GEOJSON_TYPE, JSON_TYPE, SCHEMA_TYPE } from "./link.ts";
import * as schemas from "./openapi-schemas.ts";
import { TEXT, type Part } from "./openapi-schemas.ts";

interface Answer {
  readonly type: string;
  readonly schema: Part;
}

interface Described {
  readonly operationId: string;
  /** Answers of success, by status. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly parameters?: readonly Part[];
  readonly body?: Part;
  /** Whether everybody may ask; otherwise the token of a user is needed. */
  readonly isOpen?: boolean;
}

function parameter(name: string, place: "header" | "path" | "query", schema: Part): Part {
  return { name, in: place, required: place === "path", schema };
}

const PRODUCT = parameter("productId", "path", { type: "string", minLength: 1, maxLength: 300 });
const ORDER = parameter("orderId", "path", { type: "string", minLength: 1, maxLength: 64 });
const SEARCH = parameter("searchId", "path", { type: "string", minLength: 1, maxLength: 64 });
const PAGE = [
  parameter("limit", "query", { type: "integer", minimum: 1, maximum: 2 ** 31 - 1, default: DEFAULT_ENTRIES }),
  parameter("next", "query", { type: "string", minLength: 1, maxLength: 512 }),
];
const PREFER = parameter("Prefer", "header", { type: "string", maxLength: 200, example: "respond-async" });
const KEY = parameter("Idempotency-Key", "header", { type: "string", minLength: 1, maxLength: 128 });

function refusal(description: string): Part {
  return { description, content: { [JSON_TYPE]: { schema: schemas.ERROR } } };
}

const REFUSALS = {
  "400": refusal("A member of the request is unknown or invalid"),
  "401": refusal("The token is missing or invalid, or credit is missing"),
  "403": refusal("This needs the token of a user"),
  "404": refusal("There is nothing at this address"),
  "429": refusal("Too many requests; see Retry-After"),
  default: refusal("A fault of the service"),
};
/** Refusals of requests with a body. */
const OF_BODIES = {
  "408": refusal("The body did not arrive in time"),
  "409": refusal("The idempotency key belongs to another request, or there are too many open orders"),
  "413": refusal("The body is too large"),
  "424": refusal("The search failed"),
};

function operation({ answers, body, isOpen = false, operationId, parameters = [] }: Described): Part {
  const done = Object.entries(answers).map(([status, { schema, type }]) => [
    status,
    {
      description: status === "201" ? "Created" : "Done",
      ...(status === "201" ? { headers: { Location: { schema: TEXT } } } : {}),
      content: { [type]: { schema } },
    },
  ]);
  return {
    operationId,
    tags: ["stapi"],
    security: isOpen ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters,
    ...(body === undefined ? {} : { requestBody: { required: true, content: { [JSON_TYPE]: { schema: body } } } }),
    responses: { ...Object.fromEntries(done), ...REFUSALS, ...(body === undefined ? {} : OF_BODIES) },
  };
}

function get(operationId: string, schema: Part, more: { parameters?: readonly Part[]; type?: string } = {}): Part {
  const { parameters = [], type = JSON_TYPE } = more;
  return { get: operation({ operationId, parameters, answers: { "200": { type, schema } } }) };
}

function open(operationId: string, schema: Part): Part {
  return { get: operation({ operationId, isOpen: true, answers: { "200": { type: JSON_TYPE, schema } } }) };
}

function paths(): Part {
  const page = [PRODUCT, ...PAGE];
  return {
    "": open("landing", schemas.ROOT),
    "/conformance": open("conformance", schemas.CONFORMANCE_CLASSES),
    "/products": get("products", schemas.PRODUCTS, { parameters: PAGE }),
    "/products/{productId}": get("product", schemas.PRODUCT, { parameters: [PRODUCT] }),
    "/products/{productId}/queryables": get("queryables", schemas.JSON_SCHEMA, {
      parameters: [PRODUCT],
      type: SCHEMA_TYPE,
    }),
    "/products/{productId}/order-parameters": get("orderParameters", schemas.JSON_SCHEMA, {
      parameters: [PRODUCT],
      type: SCHEMA_TYPE,
    }),
    "/products/{productId}/opportunities": {
      post: operation({
        operationId: "searchOpportunities",
        parameters: [PRODUCT, PREFER],
        body: schemas.OPPORTUNITY_REQUEST,
        answers: {
          "200": { type: GEOJSON_TYPE, schema: schemas.OPPORTUNITIES },
          "201": { type: JSON_TYPE, schema: schemas.SEARCH },
        },
      }),
    },
    "/products/{productId}/opportunities/{searchId}": get("opportunities", schemas.OPPORTUNITIES, {
      parameters: [PRODUCT, SEARCH, ...PAGE],
      type: GEOJSON_TYPE,
    }),
    "/products/{productId}/orders": {
      ...get("productOrders", schemas.ORDERS, { parameters: page, type: GEOJSON_TYPE }),
      post: operation({
        operationId: "createOrder",
        parameters: [PRODUCT, KEY],
        body: schemas.ORDER_REQUEST,
        answers: { "201": { type: GEOJSON_TYPE, schema: schemas.ORDER } },
      }),
    },
    "/orders": get("orders", schemas.ORDERS, { parameters: PAGE, type: GEOJSON_TYPE }),
    "/orders/{orderId}": get("order", schemas.ORDER, { parameters: [ORDER], type: GEOJSON_TYPE }),
    "/orders/{orderId}/statuses": get("orderStatuses", schemas.ORDER_STATUSES, { parameters: [ORDER, ...PAGE] }),
    "/searches/opportunities": get("searches", schemas.SEARCHES, { parameters: PAGE }),
    "/searches/opportunities/{searchId}": get("search", schemas.SEARCH, { parameters: [SEARCH] }),
    "/searches/opportunities/{searchId}/statuses": get("searchStatuses", schemas.SEARCH_STATUSES, {
      parameters: [SEARCH],
    }),
  };
}

/** OpenAPI 3.0.3 without references, as the documents of the other dialects. */
export function openApiDocument(baseUrl: string): Part {
  return {
    openapi: "3.0.3",
    info: { title: "Swath: Sensor Tasking API", version: "0.1.0" },
    servers: [{ url: baseUrl }],
    tags: [{ name: "stapi" }],
    paths: Object.fromEntries(Object.entries(paths()).map(([path, item]) => [`/stapi${path}`, item])),
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
}
