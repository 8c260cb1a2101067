import { MAX_MOSAIC_SCENES, MOSAIC_RULES } from "@swath/kernel/raster-mathematics/mosaic";
import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";
import { TileSchema } from "../../kit/schemas/tile.ts";
import { ExpectedCostSchema } from "../credits/expected-cost-schema.ts";
import { DryRunResult, NOTHING_TO_PAY } from "./dry-run-contract.ts";
import { PaymentSchema, RELEASE_PERMISSIONS } from "./release-contract.ts";
import { sceneConditions } from "./scene-conditions.ts";
import { FailedStatistics, LeftOutScene, UnmaskedScene } from "./statistics-contract.ts";

/** Scenes of a mosaic unless `limit` is given. */
export const DEFAULT_MOSAIC_SCENES = 20;
/** Area of a mosaic. */
export const MAX_MOSAIC_KM2 = 250_000;

const choiceMembers = {
  extent: { ...ExtentSchema, description: `area of the mosaic, at most ${MAX_MOSAIC_KM2} km2` },
  mapType: { ...MapTypeIdSchema, description: "imagery or an index: a map type that is drawn from the scene itself" },
  rule: Type.Enum([...MOSAIC_RULES], {
    description:
      "`first`: first valid scene, in the order of `sceneIds` or newest first; `newest`; `least-cloudy`; `median` and " +
      "`mean` of all valid scenes; `max`: the scene with the highest index",
  }),
  index: Type.Optional({
    ...MapTypeIdSchema,
    description: "with the rule `max` of imagery: the index that decides, such as ndvi",
  }),
  sceneIds: Type.Optional(
    Type.Array(SceneIdSchema, {
      description: "scenes of the mosaic; required unless `datasets` is given",
      minItems: 1,
      maxItems: MAX_MOSAIC_SCENES,
    }),
  ),
  ...sceneConditions,
  limit: Type.Optional(
    Type.Integer({
      description: "with `datasets`: most scenes; the least cloudy count by that rule, otherwise the newest",
      minimum: 1,
      maximum: MAX_MOSAIC_SCENES,
      default: DEFAULT_MOSAIC_SCENES,
    }),
  ),
};

export const MosaicChoice = Type.Object(choiceMembers, { title: "MosaicChoice" });

export const MosaicRequest = Type.Object(
  {
    ...choiceMembers,
    cloudFree: Type.Optional(
      Type.Boolean({
        description: "leaves out pixels under clouds, shadows and snow where a scene tells them",
        default: true,
      }),
    ),
    allocate: Type.Optional(
      Type.Boolean({
        description:
          "pays for the mosaic: credit is held now and charged for the scenes that it has, when it ends; needs " +
          "credits.allocate-area",
        default: false,
      }),
    ),
    expectedCost: ExpectedCostSchema,
  },
  { title: "MosaicRequest" },
);

const leftOut = Type.Array(LeftOutScene, { description: "with `datasets`: scenes of the search that do not count" });

export const MosaicResult = Type.Object(
  {
    mapId: Type.String({ description: "signed map ID, valid for one year" }),
    mapType: Type.String(),
    rule: Type.Enum([...MOSAIC_RULES]),
    maxZoom: Type.Integer({ description: "deepest zoom at which a tile still gains detail" }),
    tiles: Type.Array(TileSchema, {
      description: "at most four, of one zoom; their descendants exist too",
      maxItems: 4,
    }),
    scenes: Type.Array(
      Type.Object({
        sceneId: Type.String(),
        datetime: Type.String({ description: "UTC, YYYY-MM-DD HH:MM:SS" }),
        cloudsMasked: Type.Boolean({ description: "whether pixels under its clouds are left out" }),
      }),
      { description: "in order of choice" },
    ),
    failed: Type.Array(FailedStatistics, { description: "scenes that the mosaic could not use, with the reason" }),
    leftOut,
    unmasked: Type.Array(UnmaskedScene, {
      description: "with `cloudFree`: scenes without a map of clouds, with the reason. All their pixels count",
    }),
    payment: Type.Optional(PaymentSchema),
  },
  { title: "MosaicResult" },
);

const MosaicPrice = Type.Object(
  {
    ...DryRunResult.properties,
    sceneIds: Type.Array(Type.String(), { description: "scenes of the mosaic, in order of choice" }),
    leftOut,
  },
  { title: "MosaicPrice" },
);

export type MosaicChoice = Type.Static<typeof MosaicChoice>;
export type MosaicRequest = Type.Static<typeof MosaicRequest>;
export type MosaicResult = Type.Static<typeof MosaicResult>;
export type MosaicPrice = Type.Static<typeof MosaicPrice>;

const SEARCH_ERRORS = [
  "NON-EXISTING-SCENE",
  "EXTENT-HAS-NO-INTERSECTION",
  "EXTENT-TOO-LARGE",
  "DATASET-NOT-SUPPORTED-FOR-SEARCH",
  "DATASETS-NEED-SEPARATE-SEARCH",
  "SERVICE-UNAVAILABLE",
  "LICENSE-EXPIRED",
  "INSUFFICIENT-CREDIT",
  "USER-CREDIT-LIMIT",
] as const;

function sceneCount({ sceneIds, limit = DEFAULT_MOSAIC_SCENES }: Pick<MosaicChoice, "limit" | "sceneIds">): number {
  return sceneIds?.length ?? limit;
}

/** One map of many scenes. */
export const mosaic = definePipeline({
  path: "/mapsvc/mosaic",
  unknownMembers: () => "refuse",
  permissions: ["mapsvc.release"],
  contentPermissions: RELEASE_PERMISSIONS,
  conditionalPermissions: ["credits.allocate-area", "imagery.availability"],
  dynamicPermissions: ({ allocate, datasets }) => [
    ...(allocate === true ? ["credits.allocate-area"] : []),
    ...(datasets === undefined ? [] : ["imagery.availability"]),
  ],
  summary: "Make one map of many scenes",
  description:
    "A map whose pixels come from the scenes of a search or a list. Its map ID serves tiles, files, exports, TileJSON " +
    "and WMTS as the map of a release does. metadata.json lists the scenes and, unless several share a pixel, their " +
    "areas and seamlines. Values have the units of the finest scene. Needs the permissions, the allocated area and " +
    "the price of a release of the map type of every scene. `expectedCost` needs `allocate`.",
  request: MosaicRequest,
  result: MosaicResult,
  errors: [
    ...SEARCH_ERRORS,
    "CREDITS-ERROR",
    "ZERO-TILES-AVAILABLE",
    "UNSUPPORTED-IMAGERY",
    "GSD-TOO-COARSE",
    "DATA-NOT-AVAILABLE",
    "PRICE-CHANGED",
  ],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: { maps: sceneCount },
});

/** The price of a mosaic. */
export const mosaicDryRun = definePipeline({
  path: "/mapsvc/mosaic-dry-run",
  lane: "quick",
  unknownMembers: () => "refuse",
  permissions: ["mapsvc.dry-run"],
  conditionalPermissions: ["imagery.availability"],
  contentPermissions: RELEASE_PERMISSIONS,
  dynamicPermissions: ({ datasets }) => (datasets === undefined ? [] : ["imagery.availability"]),
  summary: "Compute the cost of a mosaic",
  description:
    "Returns the scenes of a mosaic and its price without making it. Pass `sceneIds` and, as `expectedCost`, " +
    "`allocatedCredits` to the mosaic: it then has these scenes at this price.",
  request: MosaicChoice,
  result: MosaicPrice,
  emptyResult: { ...NOTHING_TO_PAY, sceneIds: [], leftOut: [] },
  errors: SEARCH_ERRORS,
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: { maps: sceneCount },
});
