import type { Affine } from "../raster-mathematics/affine.ts";
import type { BandRole } from "../bands/band-role.ts";
import type { StoreTile } from "../tiles/store-tile.ts";

export type DataType = "uint8" | "int8" | "uint16" | "int16" | "uint32" | "int32" | "float32" | "float64";

/** What the numbers of a band are, which decides stretch and whether an index may use it. */
export type BandQuantity = "reflectance" | "display" | "backscatter-linear" | "backscatter-db" | "class" | "other";

/** Statistics over valid pixels only. Percentiles are in pixel values. */
export interface BandStatistics {
  readonly validPixels: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly std: number;
  readonly p005: number;
  readonly p05: number;
  readonly p50: number;
  readonly p95: number;
  readonly p995: number;
}

/** One band in the store: one north-up COG per band, 256-pixel blocks, average overviews. */
export interface StoredBand {
  /** Blob key of the COG. */
  readonly key: string;
  readonly role: BandRole | null;
  readonly quantity: BandQuantity;
  readonly dataType: DataType;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Maps pixel corners (column, row) to scene CRS coordinates. Never rotated: rotated input is warped at ingest. */
  readonly geotransform: Affine;
  /** Pixel value that means "no data"; NaN is written as the string "nan". Null when every pixel counts. */
  readonly nodata: number | "nan" | null;
  /** Blob key of a uint8 COG on the same grid, 0 = invalid, 255 = valid; null when `nodata` says it all. */
  readonly maskKey: string | null;
  readonly statistics: BandStatistics;
  /** Bytes of the COG; absent for bands of earlier ingests. */
  readonly sizeBytes?: number;
  /** `[r, g, b]` per pixel value for palette images, else null. */
  readonly palette: readonly (readonly [number, number, number])[] | null;
}

/**
 * Longitude/latitude to scene CRS on a regular lon/lat lattice, for CRSs whose datum shift proj4 cannot do.
 * Row-major from the north-west corner, `columns * rows` values each.
 */
export interface ControlGrid {
  readonly bounds: readonly [westDeg: number, southDeg: number, eastDeg: number, northDeg: number];
  readonly columns: number;
  readonly rows: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Where and how the pixels of a scene are stored; `bands[i]` belongs to `scene.bands[i]`. */
export interface StoredRaster {
  /** A proj string that proj4 understands, with `+x_0` and `+y_0` always given where the projection has them. */
  readonly proj4: string;
  readonly controlGrid: ControlGrid | null;
  readonly bands: readonly StoredBand[];
  /** The only store tiles whose pixels are there, of a scene that is ingested in parts; absent for whole scenes. */
  readonly tiles?: readonly StoreTile[];
  /** Divisor of the grid that `tiles` belong to; absent for store tiles themselves. */
  readonly tileDivisor?: number;
}
