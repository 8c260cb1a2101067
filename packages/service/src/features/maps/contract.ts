import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import { Type } from "typebox";
import type { FeatureContract } from "../../contract-kit/contract.ts";
import { defineFileRoute } from "../../contract-kit/file-route.ts";
import { GEOJSON_BODY_LIMIT_BYTES, defineOperation } from "../../contract-kit/operation.ts";
import { definePipeline } from "../../contract-kit/pipeline-operation.ts";
import { ExtentSchema } from "../../contract-kit/schemas/geojson.ts";
import { SceneIdSchema } from "../../contract-kit/schemas/scene.ts";
import { TileSchema } from "../../contract-kit/schemas/tile.ts";
import { mapTypes as registry } from "../../map-types/registry.ts";

const MapTypeId = Type.String({ description: "map type, such as imagery or ndvi", minLength: 1, maxLength: 64 });
const SceneIds = Type.Array(SceneIdSchema, { description: "scenes to make maps of", minItems: 1, maxItems: 50 });
const SubGeometry = Type.Optional({
  ...ExtentSchema,
  description: "a smaller area to download from the released one; its id is `subGeometryId` of the initiate answer",
});

export const ReleaseRequest = Type.Object({
  mapTypes: Type.Optional(
    Type.Array(MapTypeId, { description: "required, unless `mapType` is given", minItems: 1, maxItems: 20 }),
  ),
  mapType: Type.Optional({ ...MapTypeId, description: "legacy form: one map type; the answer is then flat" }),
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
export const flatMembers = {
  mapId: Succeeded.properties.mapId,
  maxZoom: Succeeded.properties.maxZoom,
  tiles: Succeeded.properties.tiles,
};

const listMembers = {
  maps: Type.Array(Succeeded, { description: "every map that was made" }),
  failed: Type.Array(Failed, { description: "every map type and scene that gave no map, and why" }),
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
      "Besides `maps` and `failed` there is a member for each requested map type: the list of its maps and failures. The legacy form adds mapId, maxZoom and tiles of the first map.",
  },
);

const Colors = Type.Record(Type.String(), Type.Array(Type.Integer({ minimum: 0, maximum: 255 })));

const legendMembers = {
  segmentationMetadata: Type.Optional(
    Type.Object({ segmentationColors: Colors }, { description: "[red, green, blue] by class" }),
  ),
  segmentationHierarchy: Type.Optional(
    Type.Object({
      baseClasses: Type.Array(Type.String()),
      parentClasses: Type.Record(Type.String(), Type.Array(Type.String())),
      masterClass: Type.String(),
    }),
  ),
  deprecatedClasses: Type.Record(Type.String(), Colors, { description: "colours by class, by the last version" }),
};

const DatasetSettings = Type.Object({
  version: Type.Integer(),
  is_global: Type.Boolean(),
  max_gsd: Type.Union([Type.Number(), Type.Null()], { description: "metres" }),
  margin_m: Type.Number(),
  margin_px: Type.Number(),
  min_size_px: Type.Number(),
  resolution: Type.Union([Type.Number(), Type.Null()], { description: "metres; null for the scene's own" }),
});

const MapTypeListing = Type.Object({
  mapType: Type.String(),
  description: Type.String(),
  gridFiles: Type.Record(Type.String(), Type.Array(Type.String()), { description: "file names by suffix" }),
  availableDatasets: Type.Record(Type.String(), Type.Array(Type.Tuple([Type.String(), DatasetSettings])), {
    description: "[dataset, settings] by provider; what the caller may release only",
  }),
  ...legendMembers,
});

const MapTypeLegend = Type.Object({ mapType: Type.String(), ...legendMembers });

export type ReleaseRequest = Type.Static<typeof ReleaseRequest>;
export type ReleaseResult = Type.Static<typeof ReleaseResult>;
export type SucceededMap = Type.Static<typeof Succeeded>;
export type FailedMap = Type.Static<typeof Failed>;
export type MapTypeListing = Type.Static<typeof MapTypeListing>;
export type MapTypeLegend = Type.Static<typeof MapTypeLegend>;

/**
 * `<namespace>.<provider>.<dataset>` for every map type and scene. Unknown map types and ids that name no dataset
 * need no permission: they are refused by the operation itself.
 */
export function releasePermissions(mapTypes: readonly string[], sceneIds: readonly string[]): readonly string[] {
  const required = new Set<string>();
  for (const id of mapTypes) {
    const namespace = registry.get(id)?.permissionNamespace;
    if (namespace === undefined) continue;
    for (const sceneId of sceneIds) {
      const parsed = parseSceneId(sceneId);
      if (parsed !== null) required.add(`${namespace}.${parsed.provider}.${parsed.dataset}`);
    }
  }
  return [...required];
}

const Flag = (description: string) =>
  Type.Optional(Type.String({ description, pattern: "^([01]|[Tt]rue|[Ff]alse|TRUE|FALSE)$", examples: ["1"] }));

const MapId = Type.String({ description: "signed map ID from release", minLength: 1, maxLength: 4096 });
const gridMembers = {
  map_id: MapId,
  geometry_id: Type.String({
    description: "`-` for the released area, or the `subGeometryId` of a release",
    minLength: 1,
    maxLength: 128,
  }),
  file_name: Type.String({ description: "an output file of the map type", minLength: 1, maxLength: 128 }),
};
const TileIndex = Type.Integer({ minimum: 0, maximum: 2 ** 30 - 1 });

export const GridQuery = Type.Object({
  force_download: Flag("1 downloads the file even if all its pixels are invalid"),
  download_unclipped: Flag(
    "1 disables clipping to the released area; needs a token with the permission mapsvc.download-unclipped",
  ),
  user_threshold: Type.Optional(
    Type.Number({ description: "pixel index types only: binarizes metadata.json and PNG; -1 to 1, else 422" }),
  ),
  percentile_stretch: Flag("stretches between the 0.5 and 99.5 percentiles of the scene"),
  classification: Type.Optional(
    Type.String({ description: "custom classification; types without classes ignore it", maxLength: 4096 }),
  ),
  detection_filters: Type.Optional(
    Type.String({ description: "lines of property, condition, value; detections.geojson only", maxLength: 4096 }),
  ),
});

const GRID_MEDIA_TYPES = [
  "image/png",
  "image/webp",
  "image/tiff",
  "application/json",
  "application/geo+json",
  "application/gzip",
  "application/octet-stream",
  "application/zip",
];
const GRID_STATUSES = {
  200: "The file",
  204: "A PNG, WebP or SKI without a valid pixel in the area; force_download=1 gives it anyway",
  304: "Not changed since the ETag of If-None-Match",
  400: "Invalid or expired map ID",
  401: "The map ID does not include the tile, or a right is missing",
  422: "user_threshold is beyond -1 to 1",
  404: "No such file, no data there, or a zoom deeper than maxZoom",
};

export const mapsContract = {
  release: definePipeline({
    path: "/mapsvc/release",
    permissions: ["mapsvc.release"],
    dynamicPermissions: ({ mapTypes, mapType, sceneIds }) =>
      releasePermissions(mapTypes ?? (mapType === undefined ? [] : [mapType]), sceneIds),
    summary: "Make maps of scenes over an area",
    description:
      "Needs `<map type namespace>.<provider>.<dataset>` for every map type and scene, and the area allocated by credits. The pipeline is RESOLVED even when no map could be made: `failed` says why. In the legacy form (`mapType`) it FAILS then.",
    request: ReleaseRequest,
    result: ReleaseResult,
    partialResult: ReleaseResult,
    errors: ["NON-EXISTING-SCENE", "EXTENT-HAS-NO-INTERSECTION", "CREDITS-ERROR", "ZERO-TILES-AVAILABLE"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  gridTile: defineFileRoute({
    path: "/mapsvc/grid/:map_id/:geometry_id/:z/:x/:y/:file_name",
    access: "optional",
    summary: "A file of a map for one tile",
    description: "The map ID is the right to download: no token is needed.",
    params: Type.Object({ ...gridMembers, z: Type.Integer({ minimum: 0, maximum: 30 }), x: TileIndex, y: TileIndex }),
    query: GridQuery,
    mediaTypes: GRID_MEDIA_TYPES,
    statuses: GRID_STATUSES,
    errors: [
      "INVALID-MAP-ID",
      "TILE-NOT-INCLUDED",
      "TILE-NOT-FOUND",
      "NON-EXISTENT-GEOMETRY",
      "NOT-AUTHORIZED",
      "VALIDATION-ERROR",
    ],
  }),
  gridFile: defineFileRoute({
    path: "/mapsvc/grid/:map_id/:geometry_id/:file_name",
    access: "optional",
    summary: "A file of a map for its whole area",
    description: "The map ID is the right to download: no token is needed.",
    params: Type.Object(gridMembers),
    query: GridQuery,
    mediaTypes: GRID_MEDIA_TYPES,
    statuses: GRID_STATUSES,
    errors: ["INVALID-MAP-ID", "TILE-NOT-FOUND", "NON-EXISTENT-GEOMETRY", "NOT-AUTHORIZED", "VALIDATION-ERROR"],
  }),
  listMapTypes: defineOperation({
    path: "/mapsvc/map-types/list",
    permissions: ["mapsvc.release"],
    summary: "Map types the caller may release",
    request: Type.Object({}),
    response: Type.Array(MapTypeListing),
  }),
  listMapTypesShort: defineOperation({
    path: "/mapsvc/map-types",
    permissions: ["mapsvc.release"],
    summary: "Map types the caller may release (short path)",
    request: Type.Object({}),
    response: Type.Array(MapTypeListing),
  }),
  mapTypeOfMap: defineOperation({
    method: "GET",
    path: "/mapsvc/map-types/:map_id",
    access: "public",
    summary: "Map type and legend of a map",
    request: Type.Object({ map_id: MapId }),
    response: MapTypeLegend,
    errors: ["INVALID-MAP-ID"],
  }),
} as const satisfies FeatureContract;
