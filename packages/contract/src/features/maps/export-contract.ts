import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { downloadMembers } from "./downloads-contract.ts";

/** A mosaic has at most this number of pixels, one picture a quarter of it, tiles of a zip a sixteenth. */
export const MAX_MOSAIC_PIXELS = 8192 * 8192;

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
    ],
    { description: "kind of file; zip holds every file of every tile of a zoom" },
  ),
  fileName: Type.Optional(
    Type.String({
      description: "file of the kind, where a map type has several; by default the most complete",
      minLength: 1,
      maxLength: 128,
    }),
  ),
  zoom: Type.Optional(
    Type.Integer({
      description: "pixels have the resolution of the tiles of this zoom; by default the deepest that fits",
      minimum: 0,
      maximum: 30,
    }),
  ),
});

export const ExportResult = Type.Object(downloadMembers);

export type ExportRequest = Type.Static<typeof ExportRequest>;
export type ExportResult = Type.Static<typeof ExportResult>;

export const exportMap = definePipeline({
  path: "/mapsvc/export",
  permissions: ["mapsvc.release"],
  summary: "Export a whole map as one file",
  description:
    "A GeoTIFF is a cloud optimized mosaic. A picture or SKI is one image of the whole area. GeoJSON and " +
    "shapefiles hold all its objects or classes. A zip holds all files of all tiles of a zoom as " +
    "z/x/y/name. Web Mercator, clipped to the released area.",
  request: ExportRequest,
  result: ExportResult,
  errors: ["INVALID-MAP-ID", "IMAGE-TOO-LARGE", "ZERO-TILES-AVAILABLE"],
  work: { pixels: ({ gridFile }) => MAX_MOSAIC_PIXELS * mosaicShare(gridFile) },
});

function mosaicShare(gridFile: ExportRequest["gridFile"]): number {
  if (gridFile === "geotiff" || gridFile === "visu-geotiff") return 1;
  return gridFile === "png" || gridFile === "webp" || gridFile === "ski" ? 1 / 4 : 1 / 16;
}
