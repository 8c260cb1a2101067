import { Type } from "typebox";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema, GeoJsonSchema } from "../../kit/schemas/geojson.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DatetimeInputSchema, DatetimeSchema } from "../../kit/schemas/time.ts";
import { WRITE_PERMISSION } from "./areas-contract.ts";
import {
  AlgorithmName,
  AoiId,
  MAX_DATAPOINTS,
  MAX_NAMED_AOIS,
  MomentSchema,
  ProjectName,
  SourceName,
  VersionName,
} from "./schemas.ts";

/** Datapoints of one request to write. */
const MAX_APPENDED_DATAPOINTS = 5000;

const NewDatapoint = Type.Object({
  algorithm: AlgorithmName,
  source: SourceName,
  aoiId: AoiId,
  startDatetime: DatetimeInputSchema,
  endDatetime: Type.Optional({ ...DatetimeInputSchema, description: "default: `startDatetime`" }),
  version: Type.Optional({ ...VersionName, default: "1" }),
  value: Type.Number({ minimum: -1e15, maximum: 1e15 }),
  unit: Type.Optional(
    Type.String({ description: "the same for all of a series; empty for a ratio", maxLength: 40, default: "" }),
  ),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  cloudCover: Type.Optional(Type.Number({ description: "share of the area", minimum: 0, maximum: 1 })),
  sceneId: Type.Optional(Type.String({ maxLength: 128 })),
  mapId: Type.Optional(Type.String({ maxLength: 4096 })),
  provenance: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: "object",
      description: "inputs of the value, at most 4096 bytes",
    }),
  ),
});

export const appendDatapoints = defineOperation({
  path: "/datacube/datapoints/append",
  unknownMembers: "refuse",
  summary: "Write datapoints once, all or none",
  description:
    "In a project of the group of the caller, for areas that it has. A datapoint is known by project, algorithm, " +
    "source, area, period and version. The same again changes nothing; another value is refused with 409: write a " +
    "later version. The service sets `firstSeen`.",
  permissions: [WRITE_PERMISSION],
  request: Type.Object({
    project: ProjectName,
    datapoints: Type.Array(NewDatapoint, { minItems: 1, maxItems: MAX_APPENDED_DATAPOINTS }),
  }),
  response: Type.Object({
    written: Type.Integer({ minimum: 0 }),
    known: Type.Integer({ description: "datapoints that were there already", minimum: 0 }),
  }),
  errors: ["CONFLICT", "DATA-NOT-AVAILABLE"],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});

export const Aggregate = Type.Object({
  interval: Type.Enum(["day", "week", "month"], { description: "of UTC; weeks begin on Monday" }),
  statistic: Type.Enum(["mean", "median", "min", "max", "sum", "count"]),
  by: Type.Enum(["aoi", "all"], { description: "a value for each area, or one for all areas" }),
});

/** Which datapoints are asked for. */
const selection = {
  algorithms: Type.Optional(Type.Array(AlgorithmName, { minItems: 1, maxItems: 100 })),
  sources: Type.Optional(Type.Array(SourceName, { minItems: 1, maxItems: 100 })),
  aoiIds: Type.Optional(Type.Array(AoiId, { minItems: 1, maxItems: MAX_NAMED_AOIS })),
  extent: Type.Optional({ ...ExtentSchema, description: "areas that have ground in common with it" }),
  startDatetime: Type.Optional({ ...DatetimeInputSchema, description: "datapoints that do not end before" }),
  endDatetime: Type.Optional({ ...DatetimeInputSchema, description: "datapoints that do not start after" }),
  version: Type.Optional(
    Type.String({
      description: "`latest`: the last version of each datapoint; `all`; or one version",
      maxLength: 64,
      default: "latest",
    }),
  ),
  asOf: Type.Optional({
    ...DatetimeInputSchema,
    description: "answers as it would have at that moment: datapoints first seen later do not exist. Default: now",
  }),
  firstSeenFrom: Type.Optional(DatetimeInputSchema),
  firstSeenTo: Type.Optional(DatetimeInputSchema),
  aggregate: Type.Optional(Aggregate),
};

export const PointsSelection = Type.Object({ project: ProjectName, ...selection });
export type PointsSelection = Type.Static<typeof PointsSelection>;

/** The right to each algorithm that is named. */
export function readPermissions({
  project,
  algorithms,
}: {
  readonly project?: string;
  readonly algorithms?: readonly string[];
}): readonly string[] {
  if (project === undefined) return [];
  return (algorithms ?? []).map((algorithm) => `datacube.datapoints.${project}.${algorithm}`);
}

export const READ_PERMISSION = "datacube.datapoints.<project>.<algorithm>";

const Nullable = Type.Union([Type.Number(), Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);

export const Datapoint = Type.Object(
  {
    aoiId: Type.Union([Type.String(), Type.Null()], { description: "null for a value of all areas" }),
    project: Type.String(),
    algorithm: Type.String(),
    source: Type.String(),
    version: Type.Union([Type.String(), Type.Null()], { description: "null for an aggregate" }),
    startDatetime: DatetimeSchema,
    endDatetime: DatetimeSchema,
    firstSeen: { ...MomentSchema, description: "of an aggregate, the last of its datapoints" },
    value: Type.Number(),
    unit: Type.String(),
    confidence: Nullable,
    cloudCover: Nullable,
    sceneId: NullableText,
    mapId: NullableText,
    count: Type.Optional(Type.Integer({ description: "datapoints of an aggregate", minimum: 1 })),
    provenance: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: "object" })),
  },
  { title: "Datapoint" },
);
export type Datapoint = Type.Static<typeof Datapoint>;

export const getDatapoints = defineOperation({
  path: "/datacube/datapoints/get",
  summary: "Get datapoints of a project",
  description:
    "Only of algorithms that the caller may read. In the order of series, area and time. `asOf` of the answer repeats " +
    "it exactly at any later time; all pages of a list have the same.",
  conditionalPermissions: [READ_PERMISSION],
  dynamicPermissions: readPermissions,
  request: Type.Object({
    project: ProjectName,
    ...selection,
    includeProvenance: Type.Optional(
      Type.Boolean({ description: "inputs of each datapoint; a page then has at most 1,000 of them", default: false }),
    ),
    format: Type.Optional(
      Type.Enum(["json", "csv", "svg"], {
        description: "csv: the rows are in `csv`, svg: a chart of up to 5 lines is in `svg`; `results` is empty",
        default: "json",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ description: "datapoints per page", minimum: 1, maximum: MAX_DATAPOINTS, default: 1000 }),
    ),
    cursor: Type.Optional(CursorSchema),
  }),
  response: Type.Object({
    results: Type.Array(Datapoint),
    csv: Type.Optional(Type.String()),
    svg: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: "chart over dates; null without a datapoint" }),
    ),
    asOf: MomentSchema,
    cursor: NextCursorSchema,
  }),
  errors: ["INVALID-CURSOR"],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});

const Filter = Type.Object({
  field: Type.Enum(["project", "algorithm", "source", "version", "aoi"]),
  type: Type.Enum(["value-list", "geo-intersects"]),
  params: Type.Object({
    values: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { minItems: 1, maxItems: 1000 })),
    geometry: Type.Optional(GeoJsonSchema),
    geometryLabel: Type.Optional(
      Type.String({ description: "name, tag or country code of areas", minLength: 1, maxLength: 200 }),
    ),
  }),
});

const Link = Type.String({ description: "signed address, valid for a day, a plain GET without a token" });

export const exportDatapoints = definePipeline({
  path: "/datacube/datapoints/get",
  summary: "Get datapoints as a file",
  description:
    "All datapoints of a selection, up to 5,000,000. Existing clients send `filters` instead of its members: " +
    "`value-list` on project, algorithm, source and version, `geo-intersects` on aoi. `keepDuplicates` keeps all " +
    "versions of a datapoint.",
  conditionalPermissions: [READ_PERMISSION],
  dynamicPermissions: readPermissions,
  request: Type.Object({
    project: Type.Optional(ProjectName),
    ...selection,
    filters: Type.Optional(Type.Array(Filter, { maxItems: 20 })),
    keepDuplicates: Type.Optional(Type.Boolean({ default: false })),
  }),
  result: Type.Object(
    {
      csvLink: Link,
      parquetLink: Link,
      asOf: MomentSchema,
      count: Type.Integer({ description: "datapoints of the file", minimum: 0 }),
      size: Type.Integer({ description: "bytes of the CSV file", minimum: 0 }),
      parquetSize: Type.Integer({ description: "bytes of the Parquet file", minimum: 0 }),
      expires: Type.String({ description: "expiry of the address, UTC, YYYY-MM-DD HH:MM:SS" }),
    },
    { title: "DatapointsFile" },
  ),
  errors: [],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});
