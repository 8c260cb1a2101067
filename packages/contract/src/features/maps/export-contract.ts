import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { downloadMembers } from "./downloads-contract.ts";

/** A mosaic has at most this number of pixels: a whole scene of Sentinel-2 has 121 million. */
export const MAX_MOSAIC_PIXELS = 11_264 * 11_264;
/** Most pixels of one picture, and of all tiles of a zip. */
const MAX_PICTURE_PIXELS = 4096 * 4096;

export const ExportRequest = Type.Object({
  mapId: Type.String({
    description: "signed map ID of a release; it grants access to the map",
    minLength: 1,
    maxLength: 4096,
  }),
  gridFile: Type.Union(
    [
      Type.Literal("png"),
      Type.Literal("webp"),
      Type.Literal("ski"),
      Type.Literal("json"),
      Type.Literal("geojson"),
      Type.Literal("geotiff"),
      Type.Literal("visu-geotiff"),
      Type.Literal("shz"),
      Type.Literal("zip"),
      Type.Literal("pmtiles"),
      Type.Literal("gpkg"),
      Type.Literal("geoparquet"),
    ],
    {
      description:
        "kind of file. A zip holds every file of every tile of a zoom. pmtiles holds a picture as tiles of all zooms. " +
        "gpkg (GeoPackage) holds these tiles and the objects or classes, geoparquet the objects or classes.",
    },
  ),
  fileName: Type.Optional(
    Type.String({
      description: "file of the kind, where a map type has several; by default the most complete",
      minLength: 1,
      maxLength: 128,
    }),
  ),
  grid: Type.Optional(
    Type.Union([Type.Literal("native"), Type.Literal("web")], {
      description:
        "native: CRS, pixels and values of the scene, for geotiff, visu-geotiff, png and webp; web: Web Mercator. " +
        "By default native for a geotiff that fits, otherwise web",
    }),
  ),
  zoom: Type.Optional(
    Type.Integer({
      description:
        "zoom of the tiles whose resolution the Web Mercator grid has; by default the deepest that fits and is not " +
        "finer than the scene",
      minimum: 0,
      maximum: 30,
    }),
  ),
});

export const ExportResult = Type.Object(
  {
    ...downloadMembers,
    grid: Type.Union([Type.Literal("native"), Type.Literal("web")], { description: "grid of the pixels" }),
    crsEpsg: Type.Union([Type.Integer(), Type.Null()], {
      description: "EPSG code of the grid; null for a CRS of a scene without a code",
    }),
    zoom: Type.Optional(Type.Integer({ description: "zoom of the Web Mercator grid", minimum: 0, maximum: 30 })),
    widthPx: Type.Optional(Type.Integer({ description: "absent for archives of tiles", minimum: 1 })),
    heightPx: Type.Optional(Type.Integer({ description: "absent for archives of tiles", minimum: 1 })),
  },
  { title: "ExportResult" },
);

export type ExportRequest = Type.Static<typeof ExportRequest>;
export type ExportResult = Type.Static<typeof ExportResult>;

export const exportMap = definePipeline({
  path: "/mapsvc/export",
  permissions: ["mapsvc.release"],
  summary: "Export a whole map as one file",
  description:
    "A GeoTIFF is a cloud optimized mosaic, on the grid of the scene with its values unchanged. A picture or SKI " +
    "is one image of the whole area. GeoJSON, shapefiles and GeoParquet hold all its objects or classes. A zip " +
    "holds all files of all tiles of a zoom as z/x/y/name. PMTiles and GeoPackage hold the tiles of a picture down " +
    "to the zoom. Clipped to the released area.",
  request: ExportRequest,
  result: ExportResult,
  errors: ["INVALID-MAP-ID", "IMAGE-TOO-LARGE", "ZERO-TILES-AVAILABLE"],
  work: { pixels: ({ gridFile }) => mostPixels(gridFile) },
});

const MOSAICS: readonly ExportRequest["gridFile"][] = ["geotiff", "visu-geotiff", "pmtiles", "gpkg"];

function mostPixels(gridFile: ExportRequest["gridFile"]): number {
  if (MOSAICS.includes(gridFile)) return MAX_MOSAIC_PIXELS;
  return gridFile === "png" || gridFile === "webp" || gridFile === "ski" ? MAX_PICTURE_PIXELS : MAX_PICTURE_PIXELS / 4;
}
