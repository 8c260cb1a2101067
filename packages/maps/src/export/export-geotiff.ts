import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { encodeGeoTiff, type GeoTiffBand } from "@swath/raster/encode/geotiff";
import { pixelArray } from "../render/pixel-values.ts";
import type { ExportJob } from "./export-job.ts";
import { fillValue, type ExportPlane } from "./export-planes.ts";

/**
 * The image as a GeoTIFF in the scene's CRS on the grid of its finest band. Pixels of coarser bands are repeated, types
 * that differ are widened to one that holds all values as they are.
 */
export function exportGeoTiff(job: ExportJob, planes: readonly ExportPlane[]): Promise<Uint8Array> {
  const finest = finestPlane(planes);
  const { widthPx, heightPx, geotransform } = finest;
  const dataType = commonType(planes.map(({ band }) => band.dataType));
  const nodata = sharedNodata(planes, dataType);
  const valid = new Uint8Array(widthPx * heightPx).fill(255);
  const bands = planes.map((plane): GeoTiffBand => {
    const source = sourceIndices(plane, finest);
    const pixels = pixelArray(dataType, widthPx * heightPx);
    for (let row = 0; row < heightPx; row++) {
      for (let column = 0; column < widthPx; column++) {
        const at = row * widthPx + column;
        const from = source(column, row);
        if (from >= 0 && plane.valid[from] !== 0) pixels[at] = plane.pixels[from]!;
        else {
          pixels[at] = nodata ?? (from < 0 ? 0 : plane.pixels[from]!);
          valid[at] = 0;
        }
      }
    }
    return { description: plane.names[0] ?? "", pixels };
  });
  const { crsEpsg } = job.meta;
  return encodeGeoTiff({
    grid: {
      widthPx,
      heightPx,
      geotransform,
      crs: {
        epsg: crsEpsg > 0 ? crsEpsg : null,
        proj4: job.raster.proj4,
        name: crsEpsg > 0 ? `EPSG:${crsEpsg}` : "user-defined",
        datumShiftKnown: true,
      },
    },
    bands,
    nodata,
    valid: nodata === null && valid.includes(0) ? valid : null,
    isRgba: false,
  });
}

/** The plane with the most pixels; the first of several. */
export function finestPlane(planes: readonly ExportPlane[]): ExportPlane {
  return planes.reduce((a, b) => (b.pixels.length > a.pixels.length ? b : a));
}

/** Index of the pixel of `plane` under the centre of a pixel of `grid`; -1 where it has none. */
function sourceIndices(plane: ExportPlane, grid: ExportPlane): (column: number, row: number) => number {
  const { widthPx, heightPx } = plane;
  if (String(plane.geotransform) === String(grid.geotransform) && widthPx === grid.widthPx) {
    return (column, row) => (row < heightPx ? row * widthPx + column : -1);
  }
  const inverse = invertAffine(plane.geotransform);
  const columns = Int32Array.from({ length: grid.widthPx }, (_, column) =>
    Math.floor(applyAffine(inverse, applyAffine(grid.geotransform, column + 0.5, 0.5)[0], 0)[0]),
  );
  const rows = Int32Array.from({ length: grid.heightPx }, (_, row) =>
    Math.floor(applyAffine(inverse, 0, applyAffine(grid.geotransform, 0.5, row + 0.5)[1])[1]),
  );
  return (column, row) => {
    const x = columns[column]!;
    const y = rows[row]!;
    return x >= 0 && y >= 0 && x < widthPx && y < heightPx ? y * widthPx + x : -1;
  };
}

const UNSIGNED: readonly DataType[] = ["uint8", "uint16", "uint32"];
const SIGNED: readonly DataType[] = ["int8", "int16", "int32"];

/** The smallest type that holds every value of the given ones. */
export function commonType(types: readonly DataType[]): DataType {
  const [first] = types;
  if (first !== undefined && types.every((type) => type === first)) return first;
  if (types.includes("float64")) return "float64";
  const unsigned = Math.max(...types.map((type) => UNSIGNED.indexOf(type)));
  const signed = Math.max(...types.map((type) => SIGNED.indexOf(type)));
  // A float32 has 24 bits for whole numbers, a float64 has 53.
  if (types.includes("float32")) return unsigned === 2 || signed === 2 ? "float64" : "float32";
  if (signed < 0) return UNSIGNED[unsigned] ?? "float64";
  return SIGNED[Math.max(signed, unsigned + 1)] ?? "float64";
}

/** The value of all bands that means no data, where they agree on one that the type can hold. */
function sharedNodata(planes: readonly ExportPlane[], dataType: DataType): number | null {
  const [first] = planes;
  if (first === undefined || planes.some(({ band }) => band.nodata !== first.band.nodata)) return null;
  if (first.band.nodata === null) return null;
  const nodata = fillValue(first.band);
  return Object.is(pixelArray(dataType, 1).fill(nodata)[0], nodata) || dataType.startsWith("float") ? nodata : null;
}
