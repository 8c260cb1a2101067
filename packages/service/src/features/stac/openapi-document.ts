import { DEFAULT_ITEMS, MAX_ITEMS, PARQUET_TYPE } from "@swath/contract/features/stac/contract";
import { GEOJSON_TYPE, JSON_TYPE, rootOf } from "./link.ts";

type Part = Readonly<Record<string, unknown>>;

const TEXT = { type: "string" };

function parameter(name: string, schema: Part, place: "query" | "path" = "query"): Part {
  const isPath = place === "path";
  return { name, in: place, required: isPath, schema, style: isPath ? "simple" : "form", explode: false };
}

// The suite of OGC reads minItems of the array itself, and no choice of schemas.
const BBOX = parameter("bbox", { type: "array", minItems: 4, maxItems: 6, items: { type: "number" } });
const DATETIME = parameter("datetime", TEXT);
const LIMIT = parameter("limit", { type: "integer", minimum: 1, maximum: MAX_ITEMS, default: DEFAULT_ITEMS });
const COLLECTION = parameter("collectionId", TEXT, "path");
const FEATURE = parameter("featureId", TEXT, "path");
const ITEMS_FORMAT = parameter("f", { type: "string", enum: ["json", "geojson", "parquet"] });
const LISTED = [
  LIMIT,
  BBOX,
  DATETIME,
  ...["token", "fields", "sortby", "filter", "query"].map((name) => parameter(name, TEXT)),
  parameter("filter-lang", { type: "string", enum: ["cql2-text", "cql2-json"] }),
  ITEMS_FORMAT,
];

const CONDITIONS = [
  BBOX,
  DATETIME,
  ...["aggregations", "filter", "ids", "intersects", "query"].map((name) => parameter(name, TEXT)),
  parameter("filter-lang", { type: "string", enum: ["cql2-text", "cql2-json"] }),
];

const ERROR = {
  type: "object",
  required: ["code", "description"],
  properties: { code: TEXT, description: TEXT },
};

function refusal(description: string): Part {
  return { description, content: { [JSON_TYPE]: { schema: ERROR } } };
}

function answers(type: string, file: Part = {}): Part {
  return {
    "200": { description: "Done", content: { [type]: { schema: { type: "object" } }, ...file } },
    "400": refusal("A parameter is unknown or invalid"),
    "401": refusal("The token is missing, invalid, or without the right to search"),
    "404": refusal("There is nothing at this address"),
    "429": refusal("Too many requests; see Retry-After"),
    default: refusal("A fault of the service"),
  };
}

/** A file instead of items. */
const PARQUET: Part = { [PARQUET_TYPE]: { schema: { type: "string", format: "binary" } } };

function get(operationId: string, type: string, parameters: readonly Part[] = []): Part {
  const file = parameters.includes(ITEMS_FORMAT) ? PARQUET : {};
  return { get: { operationId, tags: ["stac"], parameters, responses: answers(type, file) } };
}

/** A request that changes items; its body is an item. */
function change(operationId: string, status: "200" | "201", parameters: readonly Part[]): Part {
  const { "200": done, ...refusals } = answers(GEOJSON_TYPE);
  const isDelete = operationId === "deleteItem";
  return {
    operationId,
    tags: ["stac"],
    parameters,
    ...(isDelete ? {} : { requestBody: { content: { [GEOJSON_TYPE]: { schema: { type: "object" } } } } }),
    responses: {
      [status]: done,
      ...refusals,
      "409": refusal("The item is there, or in use"),
      "412": refusal("If-Match names another state of the item"),
    },
  };
}

const ITEM = [COLLECTION, FEATURE];
/**
 * OpenAPI 3.0.3 without references: the suite of OGC reads no later version and asks no network. It has the requests of
 * the Transaction extension also where the service refuses them.
 */
export function openApiDocument(baseUrl: string): Part {
  const search = get("search", GEOJSON_TYPE, [
    ...LISTED,
    ...["collections", "ids", "intersects"].map((name) => parameter(name, TEXT)),
  ]);
  return {
    openapi: "3.0.3",
    info: { title: "Swath: STAC API and OGC API Features", version: "1.0.0" },
    servers: [{ url: rootOf(baseUrl) }],
    tags: [{ name: "stac" }],
    security: [{ bearer: [] }],
    paths: {
      "/": get("landing", JSON_TYPE),
      "/conformance": get("conformance", JSON_TYPE),
      "/children": get("children", JSON_TYPE),
      "/collections": get("collections", JSON_TYPE, [
        LIMIT,
        BBOX,
        DATETIME,
        parameter("q", TEXT),
        parameter("token", TEXT),
      ]),
      "/collections/{collectionId}": get("collection", JSON_TYPE, [COLLECTION]),
      "/collections/{collectionId}/queryables": get("collectionQueryables", "application/schema+json", [COLLECTION]),
      "/collections/{collectionId}/items": {
        ...get("items", GEOJSON_TYPE, [COLLECTION, ...LISTED]),
        post: change("createItems", "201", [COLLECTION]),
      },
      "/collections/{collectionId}/items/{featureId}": {
        ...get("item", GEOJSON_TYPE, ITEM),
        put: change("replaceItem", "200", ITEM),
        patch: change("patchItem", "200", ITEM),
        delete: change("deleteItem", "200", ITEM),
      },
      "/aggregations": get("aggregations", JSON_TYPE),
      "/aggregate": get("aggregate", JSON_TYPE, [...CONDITIONS, parameter("collections", TEXT)]),
      "/collections/{collectionId}/aggregations": get("collectionAggregations", JSON_TYPE, [COLLECTION]),
      "/collections/{collectionId}/aggregate": get("collectionAggregate", JSON_TYPE, [COLLECTION, ...CONDITIONS]),
      "/queryables": get("queryables", "application/schema+json"),
      "/search": {
        ...search,
        post: {
          operationId: "searchByBody",
          tags: ["stac"],
          requestBody: { content: { [JSON_TYPE]: { schema: { type: "object" } } } },
          responses: answers(GEOJSON_TYPE),
        },
      },
    },
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
}
