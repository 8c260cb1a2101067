import { Type, type TSchema } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { MAX_SCENES, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { DATACUBE_NAMES } from "../datacube/names.ts";
import { downloadMembers } from "./downloads-contract.ts";
import { ProvenanceReference } from "./provenance-contract.ts";
import { MAX_RELEASED_MAPS, PaymentSchema, RELEASE_PERMISSIONS } from "./release-contract.ts";
import { sceneConditions } from "./scene-conditions.ts";

export const MAX_STATISTICS_AREAS = 10_000;
/** Areas times maps. */
export const MAX_STATISTICS_ROWS = 100_000;
/** Pixels of the boxes around all areas, times maps. */
export const MAX_STATISTICS_PIXELS = 2_000_000_000;
/** Pixels of the box around one area. */
export const MAX_AREA_PIXELS = 4_000_000;
/** Rows of the answer; the file has all. */
export const MAX_ANSWERED_ROWS = 1000;
/** Scenes of a period unless `limit` is given. */
export const DEFAULT_PERIOD_SCENES = 100;

/** Conditions that choose the scenes of a period. They exclude `sceneIds` and `mapIds`. */
const periodMembers = {
  ...sceneConditions,
  limit: Type.Optional(
    Type.Integer({
      description: "with `datasets`: most scenes; the newest count",
      minimum: 1,
      maximum: MAX_SCENES,
      default: DEFAULT_PERIOD_SCENES,
    }),
  ),
};

export const StatisticsRequest = Type.Object({
  areas: {
    ...ExtentSchema,
    description:
      `a FeatureCollection of up to ${MAX_STATISTICS_AREAS} Polygons and MultiPolygons, a Feature or a geometry. ` +
      "The `id` of a feature names its rows, otherwise its position from 0",
  },
  mapIds: Type.Optional(
    Type.Array(Type.String({ description: "signed map ID of a release", minLength: 1, maxLength: 4096 }), {
      description: "existing maps; required unless `mapTypes` and either `sceneIds` or `datasets` are given",
      minItems: 1,
      maxItems: 1000,
    }),
  ),
  mapTypes: Type.Optional(Type.Array(MapTypeIdSchema, { minItems: 1, maxItems: 20 })),
  sceneIds: Type.Optional(Type.Array(SceneIdSchema, { minItems: 1, maxItems: MAX_SCENES })),
  ...periodMembers,
  allocate: Type.Optional(
    Type.Boolean({
      description:
        "pays for the maps: credit is held now and charged for the maps that are counted, when the statistics end; " +
        "needs credits.allocate-area",
      default: false,
    }),
  ),
  project: Type.Optional(
    Type.String({
      description:
        "project of the datacube that keeps the figures of its areas, named by the `id` of the features; needs " +
        "datacube.write",
      pattern: DATACUBE_NAMES.project,
    }),
  ),
  cloudFree: Type.Optional(
    Type.Boolean({
      description: "leaves out pixels under clouds, shadows and snow where the scene tells them",
      default: true,
    }),
  ),
  percentiles: Type.Optional(
    Type.Array(Type.Number({ minimum: 0, maximum: 100 }), {
      default: [5, 25, 50, 75, 95],
      maxItems: 20,
      uniqueItems: true,
    }),
  ),
  histogram: Type.Optional(
    Type.Object(
      {
        low: Type.Number({ minimum: -1e12, maximum: 1e12 }),
        high: Type.Number({ minimum: -1e12, maximum: 1e12, description: "above `low`" }),
        bins: Type.Integer({ minimum: 1, maximum: 256 }),
      },
      { description: "equal bins; values outside are left out" },
    ),
  ),
  resolution: Type.Optional(
    Type.Number({
      description: "metres; reads the coarsest overview that is not coarser. Default: the pixels of the map",
      minimum: 0.01,
      maximum: 1e6,
    }),
  ),
  format: Type.Optional(
    Type.Union([Type.Literal("csv"), Type.Literal("json")], { description: "of the file", default: "csv" }),
  ),
});

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Value = (description: string) => Nullable(Type.Number({ description }));

export const StatisticsRow = Type.Object({
  area: Type.String({ description: "`id` of the feature, or its position from 0" }),
  sceneId: Type.String(),
  datetime: Type.String({ description: "of the scene, UTC, YYYY-MM-DD HH:MM:SS" }),
  mapType: Type.String(),
  layer: Type.String({ description: "layer of the map: the index, a band, or a layer of an analysis" }),
  count: Type.Number({ description: "pixels that count; at the edge by their share inside", minimum: 0 }),
  validShare: Type.Number({ description: "share of the area that these pixels cover", minimum: 0, maximum: 1 }),
  clearShare: Value("share of the pixels with a value whose sky is clear; null when the scene does not tell"),
  mean: Value("null of layers of classes, and without a pixel"),
  std: Value("of the population"),
  min: Value("lowest value of a pixel that the area touches"),
  max: Value("highest value of a pixel that the area touches"),
  percentiles: Type.Union([Type.Record(Type.String(), Value("value")), Type.Null()], {
    description: "by name: p5 is the fifth percentile",
    examples: [{ p50: 0.61 }],
  }),
  histogram: Type.Union([Type.Array(Type.Number({ minimum: 0 })), Type.Null()], { description: "pixels of each bin" }),
  classes: Type.Union(
    [
      Type.Record(
        Type.String(),
        Type.Object({
          areaKm2: Type.Number({ description: "ground of the class, km2", minimum: 0 }),
          share: Type.Number({ description: "share of the pixels that count", minimum: 0, maximum: 1 }),
        }),
      ),
      Type.Null(),
    ],
    { description: "by name, of layers of classes" },
  ),
  objects: Nullable(Type.Integer({ description: "objects whose centre lies in the area", minimum: 0 })),
});

export const FailedStatistics = Type.Object({
  mapType: Type.String(),
  sceneId: Type.String(),
  errorCode: Type.String(),
  errorMessage: Type.String(),
});

/** Conditions that leave a scene of a period out. */
const LEFT_OUT_REASONS = ["CLOUD-COVER", "OFF-NADIR", "LIMIT"] as const;

export const LeftOutScene = Type.Object(
  {
    sceneId: Type.String(),
    datetime: Type.String({ description: "UTC, YYYY-MM-DD HH:MM:SS" }),
    reason: Type.Enum([...LEFT_OUT_REASONS]),
    message: Type.String({ examples: ["82 % of the scene are under cloud, expected at most 20 %"] }),
  },
  { title: "LeftOutScene" },
);

export const UnmaskedScene = Type.Object(
  { sceneId: Type.String(), errorMessage: Type.String() },
  { title: "UnmaskedScene" },
);

const rowMembers = {
  counts: Type.Object({
    areas: Type.Integer({ minimum: 0 }),
    maps: Type.Integer({ minimum: 0 }),
    rows: Type.Integer({ minimum: 0 }),
  }),
  rows: Type.Array(StatisticsRow, {
    description: `in ascending time of the scenes: the first ${MAX_ANSWERED_ROWS}; the file has all`,
  }),
  isComplete: Type.Boolean({ description: "whether `rows` has every row" }),
  failed: Type.Array(FailedStatistics, { description: "scenes and map types without statistics, with the reason" }),
  leftOut: Type.Array(LeftOutScene, { description: "with `datasets`: scenes of the period that do not count" }),
  provenance: Type.Array(ProvenanceReference, {
    description: "records of the inputs of the maps, and of the maps of clouds that mask them",
  }),
  unmasked: Type.Array(UnmaskedScene, {
    description: "with `cloudFree`: scenes without a map of clouds, with the reason. All their pixels count",
  }),
};

export const StatisticsResult = Type.Object(
  {
    ...rowMembers,
    payment: Type.Optional(PaymentSchema),
    datapoints: Type.Optional(
      Type.Object(
        {
          written: Type.Integer({ minimum: 0 }),
          known: Type.Integer({ description: "were there already with the same value", minimum: 0 }),
        },
        { description: "with `project`: figures in the datacube" },
      ),
    ),
    ...downloadMembers,
  },
  { title: "StatisticsResult" },
);
const PartialStatistics = Type.Object(rowMembers);

export type StatisticsRequest = Type.Static<typeof StatisticsRequest>;
export type StatisticsRow = Type.Static<typeof StatisticsRow>;
export type LeftOutScene = Type.Static<typeof LeftOutScene>;
export type UnmaskedScene = Type.Static<typeof UnmaskedScene>;
export type FailedStatistics = Type.Static<typeof FailedStatistics>;
export type PartialStatistics = Type.Static<typeof PartialStatistics>;
export type StatisticsResult = Type.Static<typeof StatisticsResult>;

/** Statistics of areas over maps. */
export const statistics = definePipeline({
  path: "/mapsvc/statistics",
  unknownMembers: ({ allocate, project }) => (allocate === true || project !== undefined ? "refuse" : "warn"),
  permissions: ["mapsvc.statistics"],
  contentPermissions: RELEASE_PERMISSIONS,
  conditionalPermissions: ["credits.allocate-area", "datacube.write", "imagery.availability"],
  dynamicPermissions: ({ allocate, datasets, project }) => [
    ...(project === undefined ? [] : ["datacube.write"]),
    ...(allocate === true ? ["credits.allocate-area"] : []),
    ...(datasets === undefined ? [] : ["imagery.availability"]),
  ],
  summary: "Get statistics of areas over scenes and map types",
  description:
    "A row for each area, map and layer: mean, deviation, range, percentiles, area of classes, number of objects. " +
    "Pixels at the edge count by their exact share inside the area. Needs the permissions of a release of the map " +
    "types and an allocated area; map IDs grant access to their maps. `datasets` search the scenes, as " +
    "/imagery/search does and with its permissions. `allocate` pays as a release does. Areas times maps are at most " +
    `${MAX_STATISTICS_ROWS}.`,
  request: StatisticsRequest,
  result: StatisticsResult,
  partialResult: PartialStatistics,
  errors: [
    "INVALID-MAP-ID",
    "NON-EXISTING-SCENE",
    "CREDITS-ERROR",
    "ZERO-TILES-AVAILABLE",
    "UNSUPPORTED-IMAGERY",
    "GSD-TOO-COARSE",
    "EXTENT-HAS-NO-INTERSECTION",
    "EXTENT-TOO-LARGE",
    "DATASET-NOT-SUPPORTED-FOR-SEARCH",
    "DATASETS-NEED-SEPARATE-SEARCH",
    "SERVICE-UNAVAILABLE",
    "SCENES-WITH-SAME-DATETIME",
    "CONFLICT",
    "DATA-NOT-AVAILABLE",
    "INSUFFICIENT-CREDIT",
    "USER-CREDIT-LIMIT",
    "LICENSE-EXPIRED",
  ],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: {
    maps: ({ mapIds, mapTypes, sceneIds, limit = DEFAULT_PERIOD_SCENES }) =>
      mapIds?.length ?? Math.min(MAX_RELEASED_MAPS, (mapTypes?.length ?? 1) * (sceneIds?.length ?? limit)),
  },
});
