import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { MAX_SCENES, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { TileSchema } from "../../kit/schemas/tile.ts";
import { ExpectedCostSchema } from "../credits/expected-cost-schema.ts";

const SceneIds = Type.Array(SceneIdSchema, { description: "scenes of the maps", minItems: 1, maxItems: MAX_SCENES });
/** Scenes times map types of one release; a page of one type fits, and the answer stays below 4 MB. */
export const MAX_RELEASED_MAPS = 2000;
const SubGeometry = Type.Optional({
  ...ExtentSchema,
  description: "a smaller area to download from the released one; its id is `subGeometryId` of the initiate answer",
});

export const ReleaseRequest = Type.Object({
  mapTypes: Type.Optional(
    Type.Array(MapTypeIdSchema, { description: "required, unless `mapType` is given", minItems: 1, maxItems: 20 }),
  ),
  mapType: Type.Optional({ ...MapTypeIdSchema, description: "legacy form: one map type; the answer is flat" }),
  sceneIds: SceneIds,
  extent: ExtentSchema,
  subGeometry: SubGeometry,
  allocate: Type.Optional(
    Type.Boolean({
      description:
        "pays for the maps: credit is held now and charged for the maps that are made, when the release ends; " +
        "needs credits.allocate-area",
      default: false,
    }),
  ),
  expectedCost: ExpectedCostSchema,
});

const Succeeded = Type.Object({
  mapId: Type.String({ description: "signed map ID, valid for one year" }),
  mapType: Type.String(),
  sceneId: Type.String(),
  status: Type.Literal("succeeded"),
  maxZoom: Type.Integer({ description: "deepest zoom at which a tile still gains detail" }),
  tiles: Type.Array(TileSchema, { description: "at most four, of one zoom; their descendants exist too", maxItems: 4 }),
  chargedCredits: Type.Optional(
    Type.Number({
      description:
        "with `allocate`: price of the map, credits. The first map of a scene adds the price of the scene. Held " +
        "area costs 0",
      minimum: 0,
    }),
  ),
});

const Failed = Type.Object({
  mapType: Type.String(),
  sceneId: Type.String(),
  status: Type.Literal("failed"),
  errorCode: Type.String({ examples: ["ZERO-TILES-AVAILABLE"] }),
  errorMessage: Type.String(),
});

/** The answer about one map, as older clients read it. */
const flatMembers = {
  mapId: Succeeded.properties.mapId,
  maxZoom: Succeeded.properties.maxZoom,
  tiles: Succeeded.properties.tiles,
};

const listMembers = {
  counts: Type.Object(
    { succeeded: Type.Integer({ minimum: 0 }), failed: Type.Integer({ minimum: 0 }) },
    { description: "lengths of `maps` and `failed`: succeeded is 0 when no map was made" },
  ),
  maps: Type.Array(Succeeded, { description: "every map made" }),
  failed: Type.Array(Failed, { description: "every map type and scene without a map, with the reason" }),
};

const Credits = (description: string) => Type.Number({ description: `${description}, credits`, minimum: 0 });

export const PaymentSchema = Type.Object(
  {
    heldCredits: Credits("most that the release could cost, held when it was accepted"),
    chargedCredits: Credits("charge for the maps that were made"),
    returnedCredits: Credits("held and given back"),
    remainingCredit: Credits("remaining credit of the caller"),
    scenes: Type.Array(
      Type.Object({
        sceneId: Type.String(),
        mapType: Type.Union([Type.String(), Type.Null()], { description: "priced map type; null: the scene itself" }),
        km2: Type.Number({ description: "newly allocated area, km2", minimum: 0 }),
        credits: Credits("charge"),
      }),
      { description: "every scene and priced map type with newly allocated area" },
    ),
  },
  { description: "with `allocate`: cost of the release" },
);

const ReleaseResult = Type.Object(
  {
    ...listMembers,
    payment: Type.Optional(PaymentSchema),
    mapId: Type.Optional(flatMembers.mapId),
    maxZoom: Type.Optional(flatMembers.maxZoom),
    tiles: Type.Optional(flatMembers.tiles),
  },
  {
    additionalProperties: true,
    description:
      "Besides `maps` and `failed` the answer has a member for each requested map type with its maps and " +
      "failures. The legacy form adds mapId, maxZoom and tiles of the first map.",
  },
);

export const LegacyReleaseRequest = Type.Object({
  mapType: MapTypeIdSchema,
  sceneId: SceneIdSchema,
  extent: ExtentSchema,
});
export const LegacyReleaseResult = Type.Object(flatMembers, { title: "LegacyReleaseResult" });

export type LegacyReleaseRequest = Type.Static<typeof LegacyReleaseRequest>;
export type LegacyReleaseResult = Type.Static<typeof LegacyReleaseResult>;

export type ReleaseRequest = Type.Static<typeof ReleaseRequest>;
export type ReleaseResult = Type.Static<typeof ReleaseResult>;
export type ReleasePayment = Type.Static<typeof PaymentSchema>;
export type SucceededMap = Type.Static<typeof Succeeded>;
export type FailedMap = Type.Static<typeof Failed>;

/** A map type needs one of them: imagery itself the first, its analyses the second. */
export const RELEASE_PERMISSIONS = [
  "imagery.images.<provider>.<dataset>",
  "algorithms.<map type>.<provider>.<dataset>",
] as const;

/** Release of any map types of any scenes. */
export const release = definePipeline({
  path: "/mapsvc/release",
  unknownMembers: ({ allocate }) => (allocate === true ? "refuse" : "warn"),
  permissions: ["mapsvc.release"],
  conditionalPermissions: ["credits.allocate-area"],
  dynamicPermissions: ({ allocate }) => (allocate === true ? ["credits.allocate-area"] : []),
  contentPermissions: RELEASE_PERMISSIONS,
  summary: "Make maps of scenes over an area",
  description:
    "Needs `<map type namespace>.<provider>.<dataset>` for every map type and scene, and an allocated " +
    `area. Scenes times map types are at most ${MAX_RELEASED_MAPS}. Without any map the pipeline is RESOLVED and \`failed\` states the reasons. In the legacy form ` +
    "(`mapType`) it is FAILED. `allocate` pays: without a possible map or enough credit the release is refused. " +
    "Maps that fail cost nothing. `allowPartial` shows maps once they are paid. `expectedCost` needs `allocate` and is " +
    "compared with the most that the release can cost.",
  request: ReleaseRequest,
  result: ReleaseResult,
  partialResult: ReleaseResult,
  emptyResult: { counts: { succeeded: 0, failed: 0 }, maps: [], failed: [] },
  errors: [
    "NON-EXISTING-SCENE",
    "EXTENT-HAS-NO-INTERSECTION",
    "CREDITS-ERROR",
    "ZERO-TILES-AVAILABLE",
    "UNSUPPORTED-IMAGERY",
    "GSD-TOO-COARSE",
    "SCENES-WITH-SAME-DATETIME",
    "INSUFFICIENT-CREDIT",
    "USER-CREDIT-LIMIT",
    "LICENSE-EXPIRED",
    "PRICE-CHANGED",
  ],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: { maps: ({ mapTypes, sceneIds }) => sceneIds.length * (mapTypes?.length ?? 1) },
});

/** Release of one map type at a separate address, for older clients. */
export const legacyRelease = definePipeline({
  path: "/mapsvc/release/:mapType/geojson",
  permissions: ["mapsvc.release"],
  contentPermissions: RELEASE_PERMISSIONS,
  summary: "Make a map of one type of one scene (legacy form)",
  description: "Equals /mapsvc/release of one map type and scene, but without a map the pipeline is FAILED.",
  request: LegacyReleaseRequest,
  result: LegacyReleaseResult,
  errors: ["NON-EXISTING-SCENE", "CREDITS-ERROR", "ZERO-TILES-AVAILABLE", "UNSUPPORTED-IMAGERY", "GSD-TOO-COARSE"],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});
