import { Type } from "typebox";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation } from "../../kit/operation.ts";
import { MapId } from "./map-id.ts";

const FileName = Type.String({ description: "a picture of the map, such as `truecolor.png`", maxLength: 128 });
const Zoom = Type.Integer({ minimum: 0, maximum: 30 });
const TileIndex = Type.Integer({ minimum: 0, maximum: 2 ** 30 - 1 });
const PICTURE_TYPES = ["image/png", "image/webp"];
const TILE_STATUSES = {
  200: "The tile",
  204: "Nothing to draw: no valid pixel, outside the scene or outside the released area",
  304: "Not changed since the ETag of If-None-Match",
  400: "Invalid or expired map ID",
  404: "No such picture, tile matrix set or address",
};

const TileJson = Type.Object(
  {
    tilejson: Type.Literal("3.0.0"),
    name: Type.String(),
    description: Type.String(),
    attribution: Type.String(),
    scheme: Type.Literal("xyz"),
    tiles: Type.Array(Type.String(), { description: "one template with {z}, {x} and {y}", minItems: 1, maxItems: 1 }),
    tileSize: Type.Integer({ description: "side of a tile, pixels; beyond the standard" }),
    minzoom: Zoom,
    maxzoom: Zoom,
    bounds: Type.Array(Type.Number(), {
      description: "west, south, east, north in degrees; all longitudes for a map across the antimeridian",
      minItems: 4,
      maxItems: 4,
    }),
    datetime: Type.String({ description: "time of acquisition of the scene, UTC; beyond the standard" }),
    center: Type.Array(Type.Number(), { description: "longitude, latitude, zoom", minItems: 3, maxItems: 3 }),
  },
  { title: "TileJson" },
);

export type TileJson = Type.Static<typeof TileJson>;

/** Names of key-value pairs are in any case by the standard; clients write them all upper or all lower. */
const WMTS_KEYS = [
  "service",
  "request",
  "version",
  "layer",
  "style",
  "format",
  "tilematrixset",
  "tilematrix",
  "tilerow",
  "tilecol",
] as const;

type WmtsKey = (typeof WMTS_KEYS)[number];
const wmtsText = Type.Optional(Type.String({ maxLength: 256 }));
const wmtsMembers = Object.fromEntries(
  WMTS_KEYS.flatMap((key) => [key, key.toUpperCase()]).map((key) => [key, wmtsText]),
);

/** Key-value pairs of a WMTS request, names in lower or upper case. */
export type WmtsQuery = Readonly<Partial<Record<WmtsKey | Uppercase<WmtsKey>, string>>>;

const OgcLink = Type.Object({
  rel: Type.String(),
  href: Type.String(),
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  templated: Type.Optional(Type.Boolean()),
});

export type OgcLink = Type.Static<typeof OgcLink>;

const TileMatrixLimits = Type.Object({
  tileMatrix: Type.String(),
  minTileRow: Type.Integer(),
  maxTileRow: Type.Integer(),
  minTileCol: Type.Integer(),
  maxTileCol: Type.Integer(),
});

const Tileset = Type.Object(
  {
    title: Type.String(),
    dataType: Type.Literal("map"),
    crs: Type.String(),
    tileMatrixSetURI: Type.String(),
    tileMatrixSetLimits: Type.Optional(Type.Array(TileMatrixLimits, { maxItems: 31 })),
    boundingBox: Type.Optional(
      Type.Object({
        lowerLeft: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
        upperRight: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
        crs: Type.String(),
      }),
    ),
    links: Type.Array(OgcLink, { maxItems: 64 }),
  },
  { title: "Tileset" },
);

export type Tileset = Type.Static<typeof Tileset>;

const TileMatrixSet = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    crs: Type.String(),
    uri: Type.Optional(Type.String()),
    orderedAxes: Type.Array(Type.String(), { minItems: 2, maxItems: 2 }),
    tileMatrices: Type.Array(
      Type.Object({
        id: Type.String(),
        scaleDenominator: Type.Number(),
        cellSize: Type.Number({ description: "metres of a pixel on the equator" }),
        cornerOfOrigin: Type.Literal("topLeft"),
        pointOfOrigin: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
        tileWidth: Type.Integer(),
        tileHeight: Type.Integer(),
        matrixWidth: Type.Integer(),
        matrixHeight: Type.Integer(),
      }),
      { maxItems: 31 },
    ),
  },
  { title: "TileMatrixSet" },
);

export type TileMatrixSet = Type.Static<typeof TileMatrixSet>;

const TileMatrixSetId = Type.String({ description: "`WebMercatorQuad512`, `WebMercatorQuad`", maxLength: 64 });
const OfMap = Type.Object({ map_id: MapId });

/** Longest side of a picture by OGC API Maps. */
export const MAX_OGC_MAP_SIDE_PX = 2048;

const Side = Type.Integer({ minimum: 1, maximum: MAX_OGC_MAP_SIDE_PX });
const CrsName = Type.String({ maxLength: 128 });
const OgcMapQuery = Type.Object({
  bbox: Type.Optional(
    Type.String({
      description: "west,south,east,north in the axes of bbox-crs; the whole map without it",
      maxLength: 256,
    }),
  ),
  "bbox-crs": Type.Optional({ ...CrsName, description: "CRS84 (default), EPSG:4326 or EPSG:3857, also as URI" }),
  crs: Type.Optional({ ...CrsName, description: "EPSG:3857, the CRS of every picture" }),
  width: Type.Optional({ ...Side, description: "pixels; follows from the height and the box without it" }),
  height: Type.Optional({ ...Side, description: "pixels; follows from the width and the box without it" }),
  f: Type.Optional(Type.Union([Type.Literal("png"), Type.Literal("webp")], { description: "png by default" })),
});

export type OgcMapQuery = Type.Static<typeof OgcMapQuery>;

/** The addresses by which map programs read the tiles of a map. */
export const tilesetsContract = {
  tileJson: defineOperation({
    method: "GET",
    path: "/mapsvc/map/:map_id/tilejson.json",
    access: "public",
    summary: "Get a TileJSON document of a map",
    description:
      "TileJSON 3.0.0 for MapLibre, Leaflet and OpenLayers. The map ID grants the tiles: no token is needed.",
    request: Type.Object({ map_id: MapId, file: Type.Optional(FileName) }),
    response: TileJson,
    errors: ["INVALID-MAP-ID", "TILE-NOT-FOUND"],
  }),
  mapTile: defineFileRoute({
    path: "/mapsvc/map/:map_id/tiles/:z/:x/:y/:file_name",
    access: "public",
    summary: "Get a tile of a picture of a map, or nothing",
    description:
      "As the grid files, for programs that end at the first refused tile: whatever lies outside the map is 204.",
    params: Type.Object({ map_id: MapId, z: Zoom, x: TileIndex, y: TileIndex, file_name: FileName }),
    query: Type.Object({}),
    mediaTypes: PICTURE_TYPES,
    statuses: TILE_STATUSES,
    errors: ["INVALID-MAP-ID", "TILE-NOT-FOUND", "NON-EXISTENT-ANALYSIS"],
  }),
  wmts: defineFileRoute({
    path: "/mapsvc/map/:map_id/wmts.xml",
    access: "public",
    summary: "Read a map as OGC WMTS 1.0.0",
    description:
      "Without a query, and for `REQUEST=GetCapabilities`: the capabilities, one layer for each picture. " +
      "`REQUEST=GetTile` takes key-value pairs, names in upper or lower case.",
    params: OfMap,
    query: Type.Object(wmtsMembers),
    mediaTypes: ["application/xml", ...PICTURE_TYPES],
    statuses: { ...TILE_STATUSES, 200: "The capabilities, or the tile", 400: "Invalid map ID, or a faulty request" },
    errors: ["INVALID-MAP-ID", "TILE-NOT-FOUND", "NON-EXISTENT-ANALYSIS", "BAD-REQUEST"],
  }),
  tileMatrixSets: defineOperation({
    method: "GET",
    path: "/ogc/tileMatrixSets",
    access: "public",
    summary: "List the tile matrix sets",
    request: Type.Object({}),
    response: Type.Object({
      tileMatrixSets: Type.Array(
        Type.Object({ id: Type.String(), title: Type.String(), links: Type.Array(OgcLink, { maxItems: 4 }) }),
        { maxItems: 8 },
      ),
    }),
  }),
  tileMatrixSet: defineOperation({
    method: "GET",
    path: "/ogc/tileMatrixSets/:tile_matrix_set_id",
    access: "public",
    summary: "Get a tile matrix set",
    request: Type.Object({ tile_matrix_set_id: TileMatrixSetId }),
    response: TileMatrixSet,
    errors: ["NON-EXISTENT-ENDPOINT"],
  }),
  ogcMap: defineOperation({
    method: "GET",
    path: "/ogc/maps/:map_id",
    access: "public",
    summary: "Get the landing page of a map by OGC API Tiles",
    request: OfMap,
    response: Type.Object({
      title: Type.String(),
      description: Type.String(),
      attribution: Type.String(),
      links: Type.Array(OgcLink, { maxItems: 16 }),
    }),
    errors: ["INVALID-MAP-ID"],
  }),
  ogcConformance: defineOperation({
    method: "GET",
    path: "/ogc/maps/:map_id/conformance",
    access: "public",
    summary: "List the conformance classes of the tiles of a map",
    request: OfMap,
    response: Type.Object({ conformsTo: Type.Array(Type.String(), { maxItems: 32 }) }),
    errors: ["INVALID-MAP-ID"],
  }),
  ogcMapPicture: defineFileRoute({
    path: "/ogc/maps/:map_id/map",
    access: "public",
    summary: "Get a picture of any part of a map by OGC API Maps",
    description:
      "The first picture of the map in Web Mercator, with square pixels. Headers `Content-Crs` and `Content-Bbox` " +
      "place it. A box without a pixel of the map is 204.",
    params: OfMap,
    query: OgcMapQuery,
    mediaTypes: PICTURE_TYPES,
    statuses: {
      200: "The picture",
      204: TILE_STATUSES[204],
      304: TILE_STATUSES[304],
      400: "Invalid or expired map ID, or a faulty parameter",
    },
    errors: ["INVALID-MAP-ID", "TILE-NOT-FOUND", "NON-EXISTENT-ANALYSIS", "BAD-REQUEST"],
  }),
  ogcTilesets: defineOperation({
    method: "GET",
    path: "/ogc/maps/:map_id/map/tiles",
    access: "public",
    summary: "List the tilesets of a map",
    request: OfMap,
    response: Type.Object({
      tilesets: Type.Array(Tileset, { maxItems: 8 }),
      links: Type.Array(OgcLink, { maxItems: 4 }),
    }),
    errors: ["INVALID-MAP-ID", "TILE-NOT-FOUND"],
  }),
  ogcTileset: defineOperation({
    method: "GET",
    path: "/ogc/maps/:map_id/map/tiles/:tile_matrix_set_id",
    access: "public",
    summary: "Get the tileset of a map",
    request: Type.Object({ map_id: MapId, tile_matrix_set_id: TileMatrixSetId }),
    response: Tileset,
    errors: ["INVALID-MAP-ID", "NON-EXISTENT-ENDPOINT", "TILE-NOT-FOUND"],
  }),
  ogcTile: defineFileRoute({
    path: "/ogc/maps/:map_id/map/tiles/:tile_matrix_set_id/:tileMatrix/:tileRow/:tileCol",
    access: "public",
    summary: "Get a tile of the first picture of a map by OGC API Tiles",
    description: "The row comes before the column.",
    params: Type.Object({
      map_id: MapId,
      tile_matrix_set_id: TileMatrixSetId,
      tileMatrix: Zoom,
      tileRow: TileIndex,
      tileCol: TileIndex,
    }),
    query: Type.Object({}),
    mediaTypes: PICTURE_TYPES,
    statuses: TILE_STATUSES,
    errors: ["INVALID-MAP-ID", "NON-EXISTENT-ENDPOINT", "TILE-NOT-FOUND", "NON-EXISTENT-ANALYSIS"],
  }),
} as const;
