import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { Georeference, PixelArray, SourceBand, SourceCrs, SourceRaster } from "../source-raster.ts";

export interface MemoryRasterOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Row-major pixels of each band. */
  readonly bands: readonly PixelArray[];
  readonly nodata?: number | null;
  readonly mask?: Uint8Array | null;
  readonly transform?: Affine;
  readonly georeference?: Georeference;
  readonly crs?: SourceCrs | null;
  readonly palette?: SourceRaster["palette"];
  readonly descriptions?: readonly (string | null)[];
  readonly blockHeightPx?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

const UTM_32: SourceCrs = {
  epsg: 32_632,
  proj4: "+proj=utm +zone=32 +datum=WGS84 +units=m +x_0=500000 +y_0=0 +no_defs",
  name: "WGS 84 / UTM zone 32N",
  datumShiftKnown: true,
};

/** A raster over arrays; by default 10 m pixels of UTM zone 32N with the corner at (500000, 5500000). */
export function memoryRaster(options: MemoryRasterOptions): SourceRaster {
  const { widthPx, heightPx } = options;
  const mask = options.mask ?? null;
  return {
    widthPx,
    heightPx,
    bands: options.bands.map((pixels, index): SourceBand => ({
      dataType: dataTypeOf(pixels),
      description: options.descriptions?.[index] ?? null,
      wavelengthNm: null,
      nodata: options.nodata ?? null,
      scale: 1,
      offset: 0,
      unit: null,
      colorInterpretation: options.palette === undefined || options.palette === null ? "undefined" : "palette",
    })),
    georeference: options.georeference ?? {
      kind: "affine",
      transform: options.transform ?? [10, 0, 500_000, 0, -10, 5_500_000],
    },
    crs: options.crs === undefined ? UTM_32 : options.crs,
    palette: options.palette ?? null,
    hasMask: mask !== null,
    metadata: options.metadata ?? {},
    blockHeightPx: options.blockHeightPx ?? 64,
    async readRows(firstRow, rowCount, signal) {
      signal.throwIfAborted();
      return options.bands.map((pixels) => pixels.subarray(firstRow * widthPx, (firstRow + rowCount) * widthPx));
    },
    async readMask(firstRow, rowCount) {
      return mask === null ? null : mask.subarray(firstRow * widthPx, (firstRow + rowCount) * widthPx);
    },
    async [Symbol.asyncDispose]() {},
  };
}

function dataTypeOf(pixels: PixelArray): DataType {
  if (pixels instanceof Uint8Array) return "uint8";
  if (pixels instanceof Int8Array) return "int8";
  if (pixels instanceof Uint16Array) return "uint16";
  if (pixels instanceof Int16Array) return "int16";
  if (pixels instanceof Uint32Array) return "uint32";
  if (pixels instanceof Int32Array) return "int32";
  return pixels instanceof Float32Array ? "float32" : "float64";
}
