import { DATETIME_SOURCES } from "@swath/kernel/scenes/datetime-source";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import { Type } from "typebox";
import { MultiPolygonSchema } from "./geojson.ts";
import { DatetimeSchema } from "./time.ts";

/** Identifier of a scene: URL-safe, at most 128 characters. */
export const SceneIdSchema = Type.String({
  title: "SceneId",
  description: "scene identifier: URL-safe text that names provider and dataset",
  minLength: 1,
  maxLength: 128,
  examples: ["local.uploads.0123456789abcdef01234567"],
});

/** Scenes of one request: as many as a page of a search holds, so that clients release what they have found. */
export const MAX_SCENES = 1000;

export const ProviderIdSchema = Type.String({ title: "ProviderId", minLength: 1, maxLength: 64, examples: ["ee"] });

export const DatasetIdSchema = Type.String({
  title: "DatasetId",
  minLength: 1,
  maxLength: 128,
  examples: ["COPERNICUS/S2_SR_HARMONIZED"],
});

const Ratio = (description: string) => Type.Number({ description, minimum: 0, maximum: 1 });
const Degrees = (description: string) => Type.Number({ description: `${description}, degrees` });

const BandSchema = Type.Unsafe<Band>(
  Type.Object(
    {
      names: Type.Array(Type.String(), { description: "aliases of the band, the long name first" }),
      bitDepth: Type.Integer({ description: "a pixel lies between 0 and 2^bitDepth", minimum: 1 }),
      gsd: Type.Number({ description: "ground sampling distance, metres" }),
      pixelSizeX: Type.Number({ description: "CRS units per pixel" }),
      pixelSizeY: Type.Number({ description: "CRS units per pixel; negative for a north-up image" }),
      crsOriginX: Type.Number({ description: "CRS coordinate of the outer corner of the top-left pixel" }),
      crsOriginY: Type.Number({ description: "CRS coordinate of the outer corner of the top-left pixel" }),
      approximateResolutionX: Type.Number({ description: "width of a pixel on the ground, metres" }),
      approximateResolutionY: Type.Number({ description: "height of a pixel on the ground, metres" }),
      radianceMult: Type.Optional(Type.Number({ description: "radiance = radianceMult * pixel + radianceAdd" })),
      radianceAdd: Type.Optional(Type.Number()),
      reflectanceMult: Type.Optional(
        Type.Number({ description: "top-of-atmosphere reflectance = reflectanceMult * pixel + reflectanceAdd" }),
      ),
      reflectanceAdd: Type.Optional(Type.Number()),
    },
    { title: "Band", description: "one captured band" },
  ),
);

/** Members of a scene, for answers that add to them. */
export const sceneMembers = {
  sceneId: SceneIdSchema,
  foreignId: Type.String({ description: "identifier at the provider" }),
  provider: ProviderIdSchema,
  dataset: DatasetIdSchema,
  satellite: Type.String({ description: "satellite or sensor" }),
  datetime: DatetimeSchema,
  datetimeSource: Type.Optional(
    Type.Enum([...DATETIME_SOURCES], {
      description: "source of the time of an uploaded scene; unknown: none, `datetime` is the time of ingest",
    }),
  ),
  sensor: Type.Optional(Type.String({ description: "sensor whose table named the bands of an uploaded scene" })),
  localDatetime: Type.Optional(Type.String({ description: "local time of capture with a zone label" })),
  crsEpsg: Type.Integer({ description: "EPSG code shared by all bands; 0 for a user-defined CRS", minimum: 0 }),
  footprint: MultiPolygonSchema,
  areaKm2: Type.Number({ description: "area of the footprint, km2", minimum: 0 }),
  offNadir: Type.Optional(Degrees("off-nadir angle")),
  sunElevation: Type.Optional(Degrees("sun elevation, negative at night")),
  sunAzimuth: Type.Optional(Degrees("sun azimuth")),
  localTime: Type.Optional(Type.String()),
  cloudCover: Type.Optional(Ratio("share of the scene under cloud")),
  satelliteAzimuth: Type.Optional(Degrees("azimuth of the satellite")),
  anomalousRatio: Type.Optional(Ratio("share of pixels with quality issues")),
  mode: Type.Optional(Type.String({ description: "acquisition mode" })),
  orbitPass: Type.Optional(Type.Enum(["ascending", "descending"], { description: "ascending when moving northwards" })),
  sensorQualityFlag: Type.Optional(Type.Boolean()),
  groundControlFlag: Type.Optional(Type.Boolean()),
  lookSide: Type.Optional(Type.Enum(["left", "right"], { description: "radar only" })),
  relativeOrbitNumberStart: Type.Optional(Type.Number({ description: "radar only" })),
  relativeOrbitNumberStop: Type.Optional(Type.Number({ description: "radar only" })),
  sliceNumber: Type.Optional(Type.Number({ description: "radar only" })),
  looks: Type.Optional(Type.Number({ description: "radar only" })),
  bands: Type.Array(BandSchema, { description: "captured bands" }),
} as const;

/** A scene as the interface document defines it. */
export const SceneSchema = Type.Unsafe<Scene>(
  Type.Object(sceneMembers, { title: "Scene", description: "image metadata" }),
);
