import { Type } from "typebox";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { AreaGeometrySchema, ExtentSchema, MultiPolygonSchema } from "../../kit/schemas/geojson.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DatetimeInputSchema, DatetimeSchema } from "../../kit/schemas/time.ts";
import { AlgorithmName, AoiId, MAX_NAMED_AOIS, MAX_PAGE_AOIS, ProjectName, SourceName } from "./schemas.ts";

/** Writes in projects of the group of the caller. */
export const WRITE_PERMISSION = "datacube.write";
/** Areas of one request. */
const MAX_SAVED_AOIS = 100;

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, uniqueItems: true });
const CountryCode = Type.String({ description: "ISO 3166-1, two letters", pattern: "^[A-Z]{2}$", examples: ["NO"] });

const DescribedSeries = Type.Object(
  {
    algorithm: AlgorithmName,
    source: SourceName,
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    cadence: Type.Optional(
      Type.String({ description: "how often a datapoint is expected", maxLength: 100, examples: ["5 days"] }),
    ),
  },
  { title: "DescribedSeries" },
);

export type DescribedSeries = Type.Static<typeof DescribedSeries>;

export const saveProject = defineOperation({
  path: "/datacube/project/create-or-update",
  unknownMembers: "refuse",
  summary: "Create or change a project of the datacube",
  description:
    "A new project belongs to the group of the caller, whose members with `datacube.write` fill it. Names of projects " +
    "are taken once. Absent members stay.",
  permissions: [WRITE_PERMISSION],
  request: Type.Object({
    project: ProjectName,
    name: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    shared: Type.Optional(
      Type.Boolean({ description: "whether callers of other groups read it, with the permissions", default: false }),
    ),
    series: Type.Optional(
      Type.Array(DescribedSeries, {
        description: "texts of series that have datapoints, as the catalogue shows them; others stay",
        minItems: 1,
        maxItems: 100,
      }),
    ),
  }),
  response: Type.Object({
    project: Type.String(),
    name: Type.String(),
    description: Type.String(),
    shared: Type.Boolean(),
    created: Type.Boolean({ description: "whether the project is new" }),
  }),
  errors: ["CONFLICT"],
});

const AoiToSave = Type.Object(
  {
    aoiId: AoiId,
    name: Type.Optional(Type.String({ description: "default: the ID", maxLength: 200 })),
    geometry: AreaGeometrySchema,
    tags: Type.Optional(Tags),
    countryCode: Type.Optional(CountryCode),
    validFrom: Type.Optional(DatetimeInputSchema),
    validTo: Type.Optional(DatetimeInputSchema),
  },
  { title: "AoiToSave" },
);

export type AoiToSave = Type.Static<typeof AoiToSave>;

export const saveAois = defineOperation({
  path: "/datacube/aois/create-or-update",
  unknownMembers: "refuse",
  summary: "Create or replace areas of interest, all or none",
  description: "In a project of the group of the caller. Datapoints stay with the ID of their area.",
  permissions: [WRITE_PERMISSION],
  request: Type.Object({
    project: ProjectName,
    aois: Type.Array(AoiToSave, { minItems: 1, maxItems: MAX_SAVED_AOIS }),
  }),
  response: Type.Object({
    results: Type.Array(Type.Object({ aoiId: Type.String(), geometryId: Type.String(), areaKm2: Type.Number() })),
  }),
  errors: ["CONFLICT", "DATA-NOT-AVAILABLE"],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});

const NullableText = Type.Union([Type.String(), Type.Null()]);

export const getAois = defineOperation({
  path: "/datacube/aois/get",
  summary: "Get the areas of interest of a project",
  description:
    "For callers who may read areas or datapoints of the project; for others, and in unknown projects, there are none. " +
    "Geometries need `datacube.aois.<project>`.",
  conditionalPermissions: ["datacube.aois.<project>"],
  dynamicPermissions: ({ project, includeGeometry }) => (includeGeometry === true ? [`datacube.aois.${project}`] : []),
  request: Type.Object({
    project: ProjectName,
    aoiIds: Type.Optional(Type.Array(AoiId, { minItems: 1, maxItems: MAX_NAMED_AOIS })),
    extent: Type.Optional(ExtentSchema),
    tags: Type.Optional({ ...Tags, description: "areas with all of these" }),
    includeGeometry: Type.Optional(Type.Boolean({ default: false })),
    limit: Type.Optional(
      Type.Integer({ description: "areas per page", minimum: 1, maximum: MAX_PAGE_AOIS, default: 100 }),
    ),
    cursor: Type.Optional(CursorSchema),
  }),
  response: Type.Object({
    results: Type.Array(
      Type.Object(
        {
          aoiId: Type.String(),
          name: Type.String(),
          project: Type.String(),
          areaKm2: Type.Number({ minimum: 0 }),
          centroid: Type.Array(Type.Number(), { description: "[longitude, latitude]", minItems: 2, maxItems: 2 }),
          countryCode: NullableText,
          tags: Type.Array(Type.String()),
          validFrom: Type.Union([DatetimeSchema, Type.Null()]),
          validTo: Type.Union([DatetimeSchema, Type.Null()]),
          geometryId: Type.Optional(Type.String()),
          geometry: Type.Optional(MultiPolygonSchema),
        },
        { title: "AreaOfInterest" },
      ),
    ),
    cursor: NextCursorSchema,
  }),
  errors: ["INVALID-CURSOR"],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});

export const getCatalogue = defineOperation({
  path: "/datacube/catalogue/get",
  summary: "Get the series of the datacube that the caller may read",
  description:
    "A series is an algorithm on a source in a project. The answer lists them, and has them also by algorithm: each " +
    "algorithm is a member with its series.",
  permissions: ["datacube.catalogue"],
  request: Type.Object({
    project: Type.Optional(ProjectName),
    algorithm: Type.Optional(Type.String({ maxLength: 64 })),
    source: Type.Optional(Type.String({ maxLength: 128 })),
    updatedSince: Type.Optional({ ...DatetimeInputSchema, description: "series with datapoints first seen since" }),
    cursor: Type.Optional(CursorSchema),
  }),
  response: Type.Object(
    {
      results: Type.Array(
        Type.Object(
          {
            project: Type.String(),
            algorithm: Type.String(),
            source: Type.String(),
            versions: Type.Array(Type.String(), { description: "the newest 100, newest first" }),
            latestVersion: NullableText,
            unit: Type.String({ description: "empty for a ratio" }),
            description: Type.String(),
            cadence: Type.String(),
            aoiCount: Type.Integer({ minimum: 0 }),
            datapointCount: Type.Integer({ minimum: 0 }),
            startDatetime: Type.Union([DatetimeSchema, Type.Null()]),
            endDatetime: Type.Union([DatetimeSchema, Type.Null()]),
            lastFirstSeen: NullableText,
          },
          { title: "DatacubeSeries" },
        ),
      ),
      cursor: NextCursorSchema,
    },
    { description: "also a member for each algorithm: the list of its series", additionalProperties: true },
  ),
  errors: ["INVALID-CURSOR"],
});
