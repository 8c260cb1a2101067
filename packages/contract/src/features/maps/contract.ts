import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation } from "../../kit/operation.ts";
import { downloadFile } from "./downloads-contract.ts";
import { dryRun } from "./dry-run-contract.ts";
import { exportMap } from "./export-contract.ts";
import { ClassPolygons, Detections, MapAreas, MapMetadata } from "./grid-file-schemas.ts";
import { mapGroupsOfMap } from "./groups-contract.ts";
import { MapId } from "./map-id.ts";
import { createLink, listLinks, revokeLink } from "./links-contract.ts";
import { mosaic, mosaicDryRun } from "./mosaic-contract.ts";
import { nwise, pairwise } from "./pairing-contract.ts";
import { getPoint } from "./point-contract.ts";
import { getProvenance } from "./provenance-contract.ts";
import { pdfReport } from "./report-contract.ts";
import { listMapTypes, listMapTypesShort, MapTypeLegend } from "./map-types-contract.ts";
import { statistics } from "./statistics-contract.ts";
import { tilesetsContract } from "./tilesets-contract.ts";
import { timelapse } from "./timelapse-contract.ts";
import { reproduce } from "./reproduce-contract.ts";
import { legacyRelease, release } from "./release-contract.ts";

const Flag = (description: string) =>
  Type.Optional(Type.String({ description, pattern: "^([01]|[Tt]rue|[Ff]alse|TRUE|FALSE)$", examples: ["1"] }));

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

/** Above all values of layers in any unit. */
const MAX_THRESHOLD = 1e12;

export const GridQuery = Type.Object({
  force_download: Flag("1 downloads the file even if all its pixels are invalid"),
  download_unclipped: Flag(
    "1 disables clipping to the released area; needs a token with the permission mapsvc.download-unclipped",
  ),
  user_threshold: Type.Optional(
    Type.Number({
      description:
        "makes pictures binary and adds the classes above and below to metadata.json. Range: -1 to 1 for " +
        "indices, otherwise the unit of the layer",
      minimum: -MAX_THRESHOLD,
      maximum: MAX_THRESHOLD,
    }),
  ),
  grid: Type.Optional(
    Type.Literal("native", {
      description:
        "the pixels of the scene in its CRS, for GeoTIFFs and pictures of the whole area up to 2048 pixels a side",
    }),
  ),
  percentile_stretch: Flag("stretches between the 0.5 and 99.5 percentiles of the scene"),
  stretch: Type.Optional(
    Type.String({
      description:
        "`min,max`: limits of the colours of pictures, min below max. Indices and layers of values: in their unit. " +
        "imagery: pixel values as metadata.json has them, of radar decibels. Pictures of classes and palettes ignore " +
        "it. Not beside percentile_stretch or user_threshold",
      examples: ["-0.2,0.8"],
      maxLength: 64,
    }),
  ),
  classification: Type.Optional(
    Type.String({
      description:
        "custom classes in segmentation and value pictures, visualization.geotiff, area.json, metadata.json " +
        "and class polygons. Lines (or parts between `;`): `name:low:high:#rrggbb` for values, an empty " +
        "limit is open; `name:class,class:#rrggbb` unites classes of the map type or its hierarchy. imagery " +
        "ignores it",
      examples: ["bare:-1:0.2:#b0903c;green:0.2::#1a9641"],
      maxLength: 4096,
    }),
  ),
  detection_filters: Type.Optional(
    Type.String({
      description:
        "lines of property, condition (gt, gte, lt, lte, eq, ne, in) and value, divided by spaces; all must " +
        "hold; detections.geojson only",
      examples: ["confidence gte 0.8"],
      maxLength: 4096,
    }),
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
const GRID_SCHEMAS = {
  "application/json": Type.Union([MapMetadata, MapAreas]),
  "application/geo+json": Type.Union([Detections, ClassPolygons]),
};
const GRID_STATUSES = {
  200: "The file",
  204: "A PNG, WebP or SKI without a valid pixel in the area; force_download=1 returns it anyway",
  304: "Not changed since the ETag of If-None-Match",
  400: "Invalid or expired map ID",
  401: "The map ID does not include the tile, or a right is missing",
  422: "user_threshold, stretch, classification or detection_filters do not suit the map type",
  404: "No such file, no data there, a zoom deeper than maxZoom, or objects of a map whose analysis was deleted",
};

export const mapsContract = {
  release,
  legacyRelease,
  gridTile: defineFileRoute({
    path: "/mapsvc/grid/:map_id/:geometry_id/:z/:x/:y/:file_name",
    conditionalPermissions: ["mapsvc.download-unclipped"],
    access: "optional",
    summary: "Get a file of a map for one tile",
    description: "The map ID grants the download: no token is needed.",
    params: Type.Object({ ...gridMembers, z: Type.Integer({ minimum: 0, maximum: 30 }), x: TileIndex, y: TileIndex }),
    query: GridQuery,
    mediaTypes: GRID_MEDIA_TYPES,
    schemas: GRID_SCHEMAS,
    statuses: GRID_STATUSES,
    errors: [
      "INVALID-MAP-ID",
      "TILE-NOT-INCLUDED",
      "TILE-NOT-FOUND",
      "NON-EXISTENT-ANALYSIS",
      "NON-EXISTENT-GEOMETRY",
      "NOT-AUTHORIZED",
      "VALIDATION-ERROR",
    ],
  }),
  gridFile: defineFileRoute({
    path: "/mapsvc/grid/:map_id/:geometry_id/:file_name",
    conditionalPermissions: ["mapsvc.download-unclipped"],
    access: "optional",
    summary: "Get a file of a map for its whole area",
    description: "The map ID grants the download: no token is needed.",
    params: Type.Object(gridMembers),
    query: GridQuery,
    mediaTypes: GRID_MEDIA_TYPES,
    schemas: GRID_SCHEMAS,
    statuses: GRID_STATUSES,
    errors: [
      "INVALID-MAP-ID",
      "TILE-NOT-FOUND",
      "NON-EXISTENT-ANALYSIS",
      "NON-EXISTENT-GEOMETRY",
      "NOT-AUTHORIZED",
      "VALIDATION-ERROR",
    ],
  }),
  downloadFile,
  dryRun,
  exportMap,
  mapGroupsOfMap,
  createLink,
  listLinks,
  revokeLink,
  mosaic,
  mosaicDryRun,
  nwise,
  pairwise,
  pdfReport,
  reproduce,
  statistics,
  timelapse,
  ...tilesetsContract,
  getPoint,
  getProvenance,
  listMapTypes,
  listMapTypesShort,
  mapTypeOfMap: defineOperation({
    method: "GET",
    path: "/mapsvc/map-types/:map_id",
    access: "public",
    summary: "Get the map type and legend of a map",
    request: Type.Object({ map_id: MapId }),
    response: MapTypeLegend,
    errors: ["INVALID-MAP-ID"],
  }),
} as const satisfies FeatureContract;
