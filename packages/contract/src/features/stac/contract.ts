import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { transactionContract } from "./transaction-contract.ts";

/** Items of a page; a larger number is lowered to it. */
export const MAX_ITEMS = 1000;
export const DEFAULT_ITEMS = 10;
/** Items of a Parquet file. */
export const MAX_FILE_ITEMS = 100_000;
/** Media type of STAC-GeoParquet. */
export const PARQUET_TYPE = "application/vnd.apache.parquet";
const MAX_IDS = 1000;
const MAX_COLLECTIONS = 100;
const MAX_TEXT = 4000;
const MAX_FILTER = 16_384;
const GEOJSON = "application/geo+json";
const SEARCH_RIGHTS = ["imagery.availability"] as const;

/** Heights in a bbox are metres. */
const MAX_COORDINATE = 1e6;

/** Answers of the dialect: other specifications define their members. */
const Document = (title: string, description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { title, description, additionalProperties: true }));

const CatalogDocument = Document("StacCatalog", "STAC 1.1.0 catalog and landing page of OGC API Features");
const CollectionDocument = Document("StacCollection", "STAC 1.1.0 collection: a dataset");
const ItemDocument = Document("StacItem", "STAC 1.1.0 item: a scene");
const ItemsDocument = Document("StacItemCollection", "GeoJSON FeatureCollection of STAC items");
const QueryablesDocument = Document("StacQueryables", "JSON Schema of the properties of filters");

const format = Type.Optional(Type.Enum(["json", "geojson"], { description: "format of the answer" }));
const itemsFormat = Type.Optional(
  Type.Enum(["json", "geojson", "parquet"], {
    description: `format of the answer; parquet: STAC-GeoParquet of all items, or of the first \`limit\`, ${MAX_FILE_ITEMS} at most`,
  }),
);
const limit = Type.Optional(
  Type.Integer({
    description: `items of a page; more than ${MAX_ITEMS} are ${MAX_ITEMS}`,
    minimum: 1,
    maximum: 2 ** 31 - 1,
    default: DEFAULT_ITEMS,
  }),
);
const token = Type.Optional(Type.String({ description: "page token of a `next` link", maxLength: 512 }));
const datetime = Type.Optional(
  Type.String({ description: "RFC 3339 instant or interval `a/b`; `..` is an open end", maxLength: 100 }),
);
const Text = (description: string, maxLength = MAX_TEXT) => Type.Optional(Type.String({ description, maxLength }));

const listed = {
  limit,
  token,
  datetime,
  bbox: Text("west,south,east,north in degrees; six numbers with heights"),
  fields: Text("members to include, or with `-` to exclude, separated by commas"),
  sortby: Text("properties to sort by, separated by commas; `-` sorts descending"),
  filter: Text("CQL2 condition", MAX_FILTER),
  "filter-lang": Type.Optional(Type.Enum(["cql2-text", "cql2-json"], { description: "form of the filter" })),
  "filter-crs": Text("only http://www.opengis.net/def/crs/OGC/1.3/CRS84"),
  f: itemsFormat,
};

const CollectionIdSchema = Type.String({ description: "collection", minLength: 1, maxLength: 256 });

const SearchQuerySchema = Type.Object(
  {
    ...listed,
    collections: Text("collections, separated by commas"),
    ids: Text("items, separated by commas", MAX_IDS * 20),
    intersects: Text("GeoJSON geometry", MAX_FILTER),
    query: Text("JSON object of the query extension", MAX_FILTER),
  },
  { title: "StacSearchQuery" },
);
export type SearchQuery = Static<typeof SearchQuerySchema>;

const SearchBodySchema = Type.Object(
  {
    limit,
    token,
    datetime: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
    bbox: Type.Optional(
      Type.Array(Type.Number({ minimum: -MAX_COORDINATE, maximum: MAX_COORDINATE }), { minItems: 4, maxItems: 6 }),
    ),
    intersects: Type.Optional(Type.Unsafe<unknown>({ description: "GeoJSON geometry" })),
    collections: Type.Optional(
      Type.Union([
        Type.Array(Type.String({ maxLength: 256 }), { maxItems: MAX_COLLECTIONS }),
        Type.String({ maxLength: MAX_TEXT }),
      ]),
    ),
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: MAX_IDS })),
    fields: Type.Optional(
      Type.Unsafe<unknown>({ description: "members to include and exclude: {include: [...], exclude: [...]}" }),
    ),
    sortby: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ maxLength: 200 }),
          direction: Type.Optional(Type.Enum(["asc", "desc"])),
        }),
        { maxItems: 10 },
      ),
    ),
    query: Type.Optional(Type.Unsafe<unknown>({ description: "conditions of the query extension, by property" })),
    filter: Type.Optional(Type.Unsafe<unknown>({ description: "CQL2 condition" })),
    "filter-lang": listed["filter-lang"],
    "filter-crs": listed["filter-crs"],
    conf: Type.Optional(Type.Unsafe<unknown>({ description: "conformance classes of the client; not read" })),
  },
  { title: "StacSearchRequest" },
);
export type SearchBody = Static<typeof SearchBodySchema>;

const ItemsQuerySchema = Type.Object(
  { collectionId: CollectionIdSchema, ...listed, query: Text("JSON object of the query extension", MAX_FILTER) },
  { title: "StacItemsQuery" },
);
export type ItemsQuery = Static<typeof ItemsQuerySchema>;

/** Aggregations of one answer. */
const MAX_AGGREGATIONS_TEXT = 400;

const conditions = {
  aggregations: Text("names of aggregations, separated by commas", MAX_AGGREGATIONS_TEXT),
  datetime,
  bbox: listed.bbox,
  intersects: Text("GeoJSON geometry", MAX_FILTER),
  ids: Text("items, separated by commas", MAX_IDS * 20),
  query: Text("JSON object of the query extension", MAX_FILTER),
  filter: listed.filter,
  "filter-lang": listed["filter-lang"],
  "filter-crs": listed["filter-crs"],
  f: format,
};

const AggregateQuerySchema = Type.Object(
  { ...conditions, collections: Text("collections, separated by commas") },
  { title: "StacAggregateQuery" },
);
export type AggregateQuery = Static<typeof AggregateQuerySchema>;

const AggregationsDocument = Document("StacAggregations", "aggregations of the aggregation extension, with links");

const CollectionsQuerySchema = Type.Object(
  {
    bbox: listed.bbox,
    datetime,
    limit,
    token,
    q: Text("words of which a title or a description has one, separated by commas"),
    f: format,
  },
  { title: "StacCollectionsQuery" },
);
export type CollectionsQuery = Static<typeof CollectionsQuerySchema>;

const FILE_WORDS =
  `With f=parquet, or Accept: ${PARQUET_TYPE}, the answer is a STAC-GeoParquet file. ` +
  "With a limit, the header Link has the address of the next file.";

const ACCEPT = { accept: Type.String({ maxLength: 4_096 }) };

/** STAC API 1.0 and OGC API Features 1.0 on the scenes of the service. */
export const stacContract = {
  ...transactionContract,
  landing: defineOperation({
    method: "GET",
    path: "/stac",
    summary: "Get the landing page of the STAC API",
    access: "optional",
    request: Type.Object({ f: format }),
    response: CatalogDocument,
    refusal: "BAD-REQUEST",
  }),
  conformance: defineOperation({
    method: "GET",
    path: "/stac/conformance",
    summary: "Get the conformance classes of the STAC API",
    access: "optional",
    request: Type.Object({ f: format }),
    response: Type.Object({ conformsTo: Type.Array(Type.String()) }, { title: "StacConformance" }),
    refusal: "BAD-REQUEST",
  }),
  api: defineOperation({
    method: "GET",
    path: "/stac/api",
    summary: "Get the OpenAPI 3.0 document of the STAC API",
    access: "optional",
    request: Type.Object({}),
    response: Document("StacOpenApi", "OpenAPI 3.0.3 document without external references"),
    mediaType: "application/vnd.oai.openapi+json",
    refusal: "BAD-REQUEST",
  }),
  children: defineOperation({
    method: "GET",
    path: "/stac/children",
    summary: "Get every child of the landing page as a whole document",
    access: "optional",
    request: Type.Object({ f: format }),
    response: Document("StacChildren", "collections that the caller may search, with links"),
    refusal: "BAD-REQUEST",
  }),
  collections: defineOperation({
    method: "GET",
    path: "/stac/collections",
    summary: "List or search collections: the datasets that the caller may search",
    permissions: SEARCH_RIGHTS,
    request: CollectionsQuerySchema,
    response: Document("StacCollections", "collections, their number and links"),
    errors: ["BAD-REQUEST"],
    unknownMembers: "refuse",
    refusal: "BAD-REQUEST",
  }),
  collection: defineOperation({
    method: "GET",
    path: "/stac/collections/:collectionId",
    summary: "Get a collection",
    permissions: SEARCH_RIGHTS,
    request: Type.Object({ collectionId: CollectionIdSchema, f: format }),
    response: CollectionDocument,
    errors: ["DATA-NOT-AVAILABLE"],
    refusal: "BAD-REQUEST",
  }),
  items: defineOperation({
    method: "GET",
    path: "/stac/collections/:collectionId/items",
    summary: "Search the items of a collection",
    description: FILE_WORDS,
    headers: ACCEPT,
    fileTypes: [PARQUET_TYPE],
    permissions: SEARCH_RIGHTS,
    request: ItemsQuerySchema,
    response: ItemsDocument,
    errors: ["BAD-REQUEST", "DATA-NOT-AVAILABLE", "EXTENT-TOO-LARGE", "INVALID-CURSOR"],
    mediaType: GEOJSON,
    unknownMembers: "refuse",
    refusal: "BAD-REQUEST",
  }),
  item: defineOperation({
    method: "GET",
    path: "/stac/collections/:collectionId/items/:itemId",
    summary: "Get an item",
    permissions: SEARCH_RIGHTS,
    request: Type.Object({
      collectionId: CollectionIdSchema,
      itemId: Type.String({ description: "scene identifier", minLength: 1, maxLength: 256 }),
      f: format,
    }),
    response: ItemDocument,
    errors: ["DATA-NOT-AVAILABLE", "NON-EXISTING-SCENE"],
    mediaType: GEOJSON,
    refusal: "BAD-REQUEST",
  }),
  searchByQuery: defineOperation({
    method: "GET",
    path: "/stac/search",
    summary: "Search items, by the query of the address",
    description: FILE_WORDS,
    headers: ACCEPT,
    fileTypes: [PARQUET_TYPE],
    permissions: SEARCH_RIGHTS,
    request: SearchQuerySchema,
    response: ItemsDocument,
    errors: ["BAD-REQUEST", "EXTENT-TOO-LARGE", "INVALID-CURSOR"],
    mediaType: GEOJSON,
    unknownMembers: "refuse",
    refusal: "BAD-REQUEST",
  }),
  search: defineOperation({
    path: "/stac/search",
    summary: "Search items",
    description: "Scenes that the service holds or has met in a search of a provider.",
    permissions: SEARCH_RIGHTS,
    request: SearchBodySchema,
    response: ItemsDocument,
    errors: ["EXTENT-TOO-LARGE", "INVALID-CURSOR"],
    mediaType: GEOJSON,
    unknownMembers: "refuse",
    refusal: "BAD-REQUEST",
  }),
  aggregations: defineOperation({
    method: "GET",
    path: "/stac/aggregations",
    summary: "List the aggregations of searches",
    access: "optional",
    request: Type.Object({ f: format }),
    response: AggregationsDocument,
    refusal: "BAD-REQUEST",
  }),
  collectionAggregations: defineOperation({
    method: "GET",
    path: "/stac/collections/:collectionId/aggregations",
    summary: "List the aggregations of searches in a collection",
    permissions: SEARCH_RIGHTS,
    request: Type.Object({ collectionId: CollectionIdSchema, f: format }),
    response: AggregationsDocument,
    errors: ["DATA-NOT-AVAILABLE"],
    refusal: "BAD-REQUEST",
  }),
  aggregate: defineOperation({
    method: "GET",
    path: "/stac/aggregate",
    summary: "Count items and tell their range, by the conditions of a search",
    permissions: SEARCH_RIGHTS,
    request: AggregateQuerySchema,
    response: AggregationsDocument,
    errors: ["BAD-REQUEST", "EXTENT-TOO-LARGE"],
    unknownMembers: "refuse",
    refusal: "BAD-REQUEST",
  }),
  collectionAggregate: defineOperation({
    method: "GET",
    path: "/stac/collections/:collectionId/aggregate",
    summary: "Count the items of a collection and tell their range",
    permissions: SEARCH_RIGHTS,
    request: Type.Object(
      { collectionId: CollectionIdSchema, ...conditions },
      { title: "StacCollectionAggregateQuery" },
    ),
    response: AggregationsDocument,
    errors: ["BAD-REQUEST", "DATA-NOT-AVAILABLE", "EXTENT-TOO-LARGE"],
    unknownMembers: "refuse",
    refusal: "BAD-REQUEST",
  }),
  queryables: defineOperation({
    method: "GET",
    path: "/stac/queryables",
    summary: "Get the properties that filters may name",
    access: "optional",
    request: Type.Object({ f: format }),
    response: QueryablesDocument,
    mediaType: "application/schema+json",
    refusal: "BAD-REQUEST",
  }),
  collectionQueryables: defineOperation({
    method: "GET",
    path: "/stac/collections/:collectionId/queryables",
    summary: "Get the properties that filters of a collection may name",
    permissions: SEARCH_RIGHTS,
    request: Type.Object({ collectionId: CollectionIdSchema, f: format }),
    response: QueryablesDocument,
    errors: ["DATA-NOT-AVAILABLE"],
    mediaType: "application/schema+json",
    refusal: "BAD-REQUEST",
  }),
} as const satisfies FeatureContract;
