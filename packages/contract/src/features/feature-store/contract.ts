import type { Geometry } from "@swath/kernel/geometry/geojson";
import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { GeometrySchema } from "../../kit/schemas/geojson.ts";

/** Features of one request to create. */
const MAX_CREATED_FEATURES = 10_000;
const MAX_PAGE_SIZE = 1000;
const MAX_SORT_FIELDS = 3;
const MAX_FIELDS = 100;

/** A collection is a segment of permissions, so it has no dots. */
const COLLECTION = "^[A-Za-z0-9_:-]{1,64}$";
const COLLECTION_NAME = new RegExp(COLLECTION);

const PROPERTIES = {
  type: "object",
  description: "free-form, but for the collection",
  required: ["collection"],
  properties: {
    collection: { type: "string", pattern: COLLECTION, description: "1 to 64 letters, digits, _, : and -" },
  },
};

const FEATURE_MEMBERS = {
  type: { const: "Feature" },
  geometry: { ...GeometrySchema, type: ["object", "null"] },
  properties: PROPERTIES,
};

export interface NewFeature {
  readonly type: "Feature";
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>> & { readonly collection: string };
}

/** A feature as answers have it. */
export interface StoredFeature extends NewFeature {
  readonly id: string;
}

const FeatureIdSchema = Type.String({ description: "id of a stored feature", minLength: 1, maxLength: 64 });

const NewFeaturesSchema = Type.Unsafe<{ readonly type: "FeatureCollection"; readonly features: readonly NewFeature[] }>(
  {
    type: "object",
    title: "NewFeatures",
    description: "a GeoJSON FeatureCollection whose features have no id",
    required: ["type", "features"],
    properties: {
      type: { const: "FeatureCollection" },
      features: {
        type: "array",
        minItems: 1,
        maxItems: MAX_CREATED_FEATURES,
        items: { type: "object", required: ["type", "geometry", "properties"], properties: FEATURE_MEMBERS },
      },
    },
  },
);

const StoredFeatureSchema = Type.Unsafe<StoredFeature>({
  type: "object",
  title: "FeatureOfStore",
  description: "a GeoJSON Feature with id and properties.collection",
  required: ["type", "id", "geometry", "properties"],
  properties: { ...FEATURE_MEMBERS, id: { type: "string", minLength: 1, maxLength: 64 } },
});

/** A feature of a search result, reduced to the requested members. */
export type FoundFeature = Pick<StoredFeature, "type" | "id"> & {
  readonly geometry?: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
};

const FoundFeatureSchema = Type.Unsafe<FoundFeature>({
  type: "object",
  title: "FoundFeature",
  description: "a stored feature, reduced to _fields",
  required: ["type", "id", "properties"],
});

const QuerySchema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  title: "FeatureQuery",
  description:
    'Mongo-like, such as {"collection": "ships", "length": {"$gt": 100}}, or CQL2-JSON: {"op": "and", "args": […]}; ' +
    "an empty object matches every feature",
});

const SearchRequestSchema = Type.Unsafe<
  Readonly<Record<string, unknown>> & {
    readonly query?: Readonly<Record<string, unknown>>;
    readonly _fields?: readonly string[];
    readonly _limit?: number;
    readonly _sort?: readonly string[];
    readonly cursor?: string;
  }
>(
  Type.Object(
    {
      query: Type.Optional(QuerySchema),
      _fields: Type.Optional(
        Type.Array(Type.String({ maxLength: 600 }), {
          description: "geometry, and names or paths of properties to keep; by default all",
          maxItems: MAX_FIELDS,
        }),
      ),
      _limit: Type.Optional(
        Type.Integer({ description: "features per page", minimum: 1, maximum: MAX_PAGE_SIZE, default: 100 }),
      ),
      _sort: Type.Optional(
        Type.Array(Type.String({ maxLength: 600 }), {
          description: "paths of properties, descending after a minus; by default the order of creation",
          maxItems: MAX_SORT_FIELDS,
        }),
      ),
      cursor: Type.Optional(
        Type.String({ description: "`cursor` of the previous page", minLength: 1, maxLength: 8192 }),
      ),
    },
    {
      title: "FeatureSearchRequest",
      description: "Without the member `query`, all other members are the query",
      additionalProperties: true,
    },
  ),
);

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function collectionPermission(action: string, feature: unknown): readonly string[] {
  const collection = member(member(feature, "properties"), "collection");
  // The schema refuses all other values.
  return typeof collection === "string" && COLLECTION_NAME.test(collection)
    ? [`geojsondb.${action}.${collection}`]
    : [];
}

/** Rights are checked before the body, so the argument is unvalidated. */
function createPermissions(request: unknown): readonly string[] {
  const features = member(request, "features");
  if (!Array.isArray(features)) return [];
  return [...new Set(features.slice(0, MAX_CREATED_FEATURES).flatMap((one) => collectionPermission("create", one)))];
}

export const featureStoreContract = {
  aggregate: defineOperation({
    path: "/api/features/aggregate",
    permissions: ["geojsondb.search"],
    summary: "Count features",
    request: Type.Object(
      { aggregation: Type.Enum(["count"]), query: QuerySchema },
      { title: "FeatureAggregateRequest" },
    ),
    response: Type.Object({ count: Type.Integer({ minimum: 0 }) }, { title: "FeatureCount" }),
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  create: defineOperation({
    path: "/api/features/create",
    conditionalPermissions: ["geojsondb.create.<collection>"],
    dynamicPermissions: createPermissions,
    summary: "Store features",
    description:
      "Needs geojsondb.create.<collection> for each collection. The id of a feature is a hash of its " +
      "content: creating it again returns the same id. The request stores all features or none.",
    request: NewFeaturesSchema,
    response: Type.Object(
      { created: Type.Array(Type.String(), { description: "ids, in the order of the features" }) },
      { title: "CreatedFeatures" },
    ),
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  delete: defineOperation({
    path: "/api/feature/delete",
    conditionalPermissions: ["geojsondb.delete.<collection>"],
    summary: "Remove a feature",
    description:
      "Needs geojsondb.delete.<collection of the feature>. Without it the answer is the same as for a " +
      "missing feature.",
    request: Type.Object({ id: FeatureIdSchema }, { title: "FeatureDeleteRequest" }),
    response: Type.Object({}, { title: "FeatureDeleted" }),
    errors: ["NON-EXISTENT-FEATURE"],
  }),
  get: defineOperation({
    path: "/api/feature/get",
    conditionalPermissions: ["geojsondb.get.<collection>"],
    summary: "Get a stored feature",
    description:
      "Needs geojsondb.get.<collection of the feature>. Without it the answer is the same as for a missing " +
      "feature.",
    request: Type.Object({ id: FeatureIdSchema }, { title: "FeatureGetRequest" }),
    response: StoredFeatureSchema,
    errors: ["NON-EXISTENT-FEATURE"],
  }),
  modify: defineOperation({
    path: "/api/features/modify",
    conditionalPermissions: ["geojsondb.modify.<collection>"],
    dynamicPermissions: (request) => collectionPermission("modify", request),
    summary: "Replace a stored feature",
    description:
      "Needs geojsondb.modify.<collection> for the collections of the stored and the new feature. The new " +
      "feature has a new id. The same transaction removes the old feature.",
    request: StoredFeatureSchema,
    response: Type.Object(
      { modified: Type.String({ description: "id of the new feature" }) },
      { title: "ModifiedFeature" },
    ),
    errors: ["NON-EXISTENT-FEATURE"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  properties: defineOperation({
    path: "/api/properties",
    permissions: ["geojsondb.search"],
    summary: "List the values of a property",
    description:
      "Each value once with its type: numbers, then texts, booleans and other values, in ascending order. " +
      "At most 10,000.",
    request: Type.Object(
      {
        property: Type.String({ description: "name or path of a property", minLength: 1, maxLength: 600 }),
        query: Type.Optional(QuerySchema),
      },
      { title: "FeaturePropertiesRequest" },
    ),
    response: Type.Array(Type.Unknown(), { title: "PropertyValues" }),
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  search: defineOperation({
    path: "/api/features/search",
    permissions: ["geojsondb.search"],
    summary: "Find features",
    description: "Searches all collections unless the query restricts them.",
    request: SearchRequestSchema,
    response: Type.Object(
      {
        results: Type.Array(FoundFeatureSchema),
        cursor: Type.Union([Type.String(), Type.Null()], {
          description: "`cursor` of the next page of the same query; null on the last page",
        }),
      },
      { title: "FoundFeatures" },
    ),
    errors: ["INVALID-CURSOR"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
} as const satisfies FeatureContract;
