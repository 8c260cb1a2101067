import { DATETIME_SOURCES } from "@swath/kernel/scenes/datetime-source";
import { Type, type Static } from "typebox";
import { DatetimeSchema } from "../../kit/schemas/time.ts";

const BandSummary = Type.Object({
  names: Type.Array(Type.String(), { description: "aliases, the long name first" }),
  role: Type.Union([Type.String(), Type.Null()], {
    description: "meaning, such as R, N or VV; null for a band without one, which map types cannot choose",
  }),
});

/** Members that describe an uploaded scene. */
export const sceneSummaryMembers = {
  satellite: Type.String({ description: "`unknown` where nothing states it" }),
  sensor: Type.Union([Type.String(), Type.Null()], {
    description: "sensor whose table named the bands; null for none",
  }),
  datetime: DatetimeSchema,
  datetimeSource: Type.Union([Type.Enum([...DATETIME_SOURCES]), Type.Null()], {
    description:
      "source of the time: owner (after the ingest), document (scene.json, STAC item, MTL), metadata of the file, " +
      "file-name. unknown: none, and `datetime` is the time of ingest. null: an earlier release did not keep it",
  }),
  crsEpsg: Type.Integer({ description: "EPSG code; 0 for a user-defined CRS", minimum: 0 }),
  bounds: Type.Array(Type.Number(), {
    description: "west, south, east, north, degrees; east exceeds 180 across the antimeridian",
    minItems: 4,
    maxItems: 4,
  }),
  areaKm2: Type.Number({ minimum: 0 }),
  bands: Type.Array(BandSummary),
} as const;

export const SceneSummarySchema = Type.Object(sceneSummaryMembers, { title: "SceneSummary" });
export type SceneSummary = Static<typeof SceneSummarySchema>;

export const IngestWarningsSchema = Type.Array(
  Type.Object({
    code: Type.Enum([
      "ACQUISITION-TIME-UNKNOWN",
      "BANDS-UNKNOWN",
      "SATELLITE-UNKNOWN",
      "METADATA-NOT-READ",
      "SCENE-RESTORED",
    ]),
    message: Type.String(),
  }),
  {
    title: "IngestWarnings",
    description: "everything that the service did not understand; absent for nothing",
    maxItems: 30,
  },
);
export type IngestWarning = Static<typeof IngestWarningsSchema>[number];
