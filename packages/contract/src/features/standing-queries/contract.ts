import { Type } from "typebox";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DatasetIdSchema, ProviderIdSchema, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { SearchedDatasets, searchConditions } from "../imagery/contract.ts";

/** Areas of one standing query. */
export const MAX_QUERY_AREAS = 1_000;
/** Standing queries of one user. */
export const MAX_STANDING_QUERIES = 1_000;
/** Areas of all standing queries of one user, each counted once for each of its datasets. */
export const MAX_WATCHED_AREAS = 100_000;
/** Standing queries that one page holds at most. */
export const STANDING_QUERIES_PAGE = 100;
/** Scenes that the answer about a query names, the latest ones. */
export const LATEST_MATCHES = 100;

const PERMISSIONS = ["imagery.standing-queries"];
const CONTENT_PERMISSIONS = ["imagery.images.<provider>.<dataset>"] as const;

const QueryId = Type.String({ description: "ID of a standing query", minLength: 1, maxLength: 64 });
const Name = Type.String({ description: "shown in events", minLength: 1, maxLength: 200, examples: ["North fields"] });
const Enabled = Type.Boolean({ description: "false: scenes are not matched" });

/** Conditions on the metadata of a scene, in the languages of the feature store. */
export const SceneFilter = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  title: "SceneFilter",
  description:
    'conditions on members of the scene, such as {"cloudCover": {"$lte": 0.2}, "orbitPass": "descending"}, or ' +
    "CQL2-JSON; `resolution` is the finest pixel side in metres. A scene without the member does not meet a comparison",
  examples: [{ cloudCover: { $lte: 0.2 }, offNadir: { $lt: 20 } }],
});

/** An area, or a collection of features with one area each. */
export const WatchedAreas = Type.Unsafe<GeoJson>({
  ...ExtentSchema,
  description: `Polygon, MultiPolygon, or a FeatureCollection of at most ${MAX_QUERY_AREAS}; each feature is an extent`,
});

/** Conditions of a standing query besides its areas. */
export const watchConditions = {
  datasets: { ...SearchedDatasets, description: "datasets of the scenes" },
  ...searchConditions,
  onlyIngested: Type.Optional(
    Type.Boolean({ description: "match a scene when its pixels are in the store", default: false }),
  ),
  filter: Type.Optional(SceneFilter),
};

const members = {
  id: QueryId,
  name: Name,
  enabled: Enabled,
  ...watchConditions,
  areaCount: Type.Integer({ minimum: 1 }),
  createdAt: Type.String({ format: "date-time" }),
  updatedAt: Type.String({ format: "date-time" }),
};
const StandingQuery = Type.Object(members, { title: "StandingQuery" });
export type StandingQuery = Type.Static<typeof StandingQuery>;

const DetailedQuery = Type.Object(
  {
    ...members,
    areas: WatchedAreas,
    matches: Type.Array(
      Type.Object({
        sceneId: SceneIdSchema,
        provider: ProviderIdSchema,
        dataset: DatasetIdSchema,
        datetime: Type.String({ description: "acquisition of the scene, UTC" }),
        // Without a format: in Python clients of OpenAPI Generator the name `datetime` hides the type of that format.
        matchedAt: Type.String({ description: "date-time, as all times of a standing query" }),
      }),
      { description: `the latest ${LATEST_MATCHES} scenes, newest match first`, maxItems: LATEST_MATCHES },
    ),
  },
  { title: "DetailedStandingQuery" },
);
export type DetailedQuery = Type.Static<typeof DetailedQuery>;

const Reference = Type.Object({ queryId: QueryId });

export const standingQueriesContract = {
  create: defineOperation({
    path: "/imagery/standing-query/create",
    unknownMembers: "refuse",
    summary: "Keep a search, and hear of each new scene that meets it",
    description:
      "Each scene that becomes known from now on, whichever way, is matched once. A match is the event " +
      "`search.matched`. The rights of the owner count at that moment: a scene that the owner may not see does not " +
      `match. A user has at most ${MAX_STANDING_QUERIES} standing queries, and ${MAX_WATCHED_AREAS} areas times datasets.`,
    permissions: PERMISSIONS,
    contentPermissions: CONTENT_PERMISSIONS,
    request: Type.Object({
      name: Name,
      areas: WatchedAreas,
      ...watchConditions,
      enabled: Type.Optional({ ...Enabled, default: true }),
    }),
    response: StandingQuery,
    errors: ["DATASET-NOT-SUPPORTED-FOR-SEARCH", "DATASETS-NEED-SEPARATE-SEARCH", "EXTENT-TOO-LARGE", "CONFLICT"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  update: defineOperation({
    path: "/imagery/standing-query/update",
    unknownMembers: "refuse",
    summary: "Rename, pause or resume a standing query, or change its filter",
    description: "Absent members stay. Other areas or datasets are another standing query.",
    permissions: PERMISSIONS,
    request: Type.Object({
      queryId: QueryId,
      name: Type.Optional(Name),
      enabled: Type.Optional(Enabled),
      filter: Type.Optional(SceneFilter),
    }),
    response: StandingQuery,
    errors: ["NON-EXISTENT-STANDING-QUERY"],
  }),
  list: defineOperation({
    path: "/imagery/standing-query/list",
    summary: "List the standing queries of the caller, newest first",
    description: `A page has at most ${STANDING_QUERIES_PAGE}.`,
    permissions: PERMISSIONS,
    request: Type.Object({ cursor: Type.Optional(CursorSchema) }),
    response: Type.Object(
      { results: Type.Array(StandingQuery), cursor: NextCursorSchema },
      { title: "StandingQueryPage" },
    ),
    errors: ["INVALID-CURSOR"],
  }),
  get: defineOperation({
    path: "/imagery/standing-query/get",
    summary: "Get a standing query with its areas and latest matches",
    permissions: PERMISSIONS,
    request: Reference,
    response: DetailedQuery,
    errors: ["NON-EXISTENT-STANDING-QUERY"],
  }),
  delete: defineOperation({
    path: "/imagery/standing-query/delete",
    summary: "Delete a standing query and its list of matches",
    permissions: PERMISSIONS,
    request: Reference,
    response: Type.Object({}),
    errors: ["NON-EXISTENT-STANDING-QUERY"],
  }),
} as const satisfies FeatureContract;
