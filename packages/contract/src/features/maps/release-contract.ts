import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MAX_SCENES, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { TileSchema } from "../../kit/schemas/tile.ts";

const MapTypeId = Type.String({
  description:
    "map type, such as imagery or ndvi; index:<name>:<parameter>=<number>,… for an index with other constants",
  minLength: 1,
  maxLength: 64,
});
const SceneIds = Type.Array(SceneIdSchema, { description: "scenes of the maps", minItems: 1, maxItems: MAX_SCENES });
/** Scenes times map types of one release; a page of one type fits, and the answer stays below 4 MB. */
export const MAX_RELEASED_MAPS = 2000;
const SubGeometry = Type.Optional({
  ...ExtentSchema,
  description: "a smaller area to download from the released one; its id is `subGeometryId` of the initiate answer",
});

export const ReleaseRequest = Type.Object({
  mapTypes: Type.Optional(
    Type.Array(MapTypeId, { description: "required, unless `mapType` is given", minItems: 1, maxItems: 20 }),
  ),
  mapType: Type.Optional({ ...MapTypeId, description: "legacy form: one map type; the answer is flat" }),
  sceneIds: SceneIds,
  extent: ExtentSchema,
  subGeometry: SubGeometry,
});

const Succeeded = Type.Object({
  mapId: Type.String({ description: "signed map ID, valid for one year" }),
  mapType: Type.String(),
  sceneId: Type.String(),
  status: Type.Literal("succeeded"),
  maxZoom: Type.Integer({ description: "deepest zoom at which a tile still gains detail" }),
  tiles: Type.Array(TileSchema, { description: "at most four, of one zoom; their descendants exist too", maxItems: 4 }),
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

const ReleaseResult = Type.Object(
  {
    ...listMembers,
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

export const LegacyReleaseRequest = Type.Object({ mapType: MapTypeId, sceneId: SceneIdSchema, extent: ExtentSchema });
export const LegacyReleaseResult = Type.Object(flatMembers);

export type LegacyReleaseRequest = Type.Static<typeof LegacyReleaseRequest>;
export type LegacyReleaseResult = Type.Static<typeof LegacyReleaseResult>;

export type ReleaseRequest = Type.Static<typeof ReleaseRequest>;
export type ReleaseResult = Type.Static<typeof ReleaseResult>;
export type SucceededMap = Type.Static<typeof Succeeded>;
export type FailedMap = Type.Static<typeof Failed>;

/** A map type needs one of them: imagery itself the first, its analyses the second. */
const RELEASE_PERMISSIONS = [
  "imagery.images.<provider>.<dataset>",
  "algorithms.<map type>.<provider>.<dataset>",
] as const;

/** Release of any map types of any scenes. */
export const release = definePipeline({
  path: "/mapsvc/release",
  permissions: ["mapsvc.release"],
  contentPermissions: RELEASE_PERMISSIONS,
  summary: "Make maps of scenes over an area",
  description:
    "Needs `<map type namespace>.<provider>.<dataset>` for every map type and scene, and an allocated " +
    `area. Scenes times map types are at most ${MAX_RELEASED_MAPS}. Without any map the pipeline is RESOLVED and \`failed\` states the reasons. In the legacy form ` +
    "(`mapType`) it is FAILED.",
  request: ReleaseRequest,
  result: ReleaseResult,
  partialResult: ReleaseResult,
  emptyResult: { counts: { succeeded: 0, failed: 0 }, maps: [], failed: [] },
  errors: ["NON-EXISTING-SCENE", "EXTENT-HAS-NO-INTERSECTION", "CREDITS-ERROR", "ZERO-TILES-AVAILABLE"],
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
