import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { DataType } from "@swath/kernel/scenes/stored-raster";

/** Pixels of one band, row-major. */
export type PixelArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

export interface SourceBand {
  readonly dataType: DataType;
  /** From GDAL_METADATA or the description item; null when the file has none. */
  readonly description: string | null;
  /** Centre wavelength in nanometres when the file says so. */
  readonly wavelengthNm: number | null;
  readonly nodata: number | null;
  /** From GDAL_METADATA: physical = scale * pixel + offset; 1 and 0 when absent. */
  readonly scale: number;
  readonly offset: number;
  readonly unit: string | null;
  readonly colorInterpretation: "red" | "green" | "blue" | "alpha" | "gray" | "palette" | "undefined";
}

export interface GroundControlPoint {
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

export type Georeference =
  | { readonly kind: "affine"; readonly transform: Affine }
  | { readonly kind: "gcps"; readonly points: readonly GroundControlPoint[] }
  /** `fault` says what is wrong with the tags of a file that has some but no usable ones. */
  | { readonly kind: "none"; readonly fault?: string };

export interface SourceCrs {
  /** Null when the CRS is user-defined. */
  readonly epsg: number | null;
  /** Always usable by proj4, with `+x_0` and `+y_0` given. */
  readonly proj4: string;
  readonly name: string;
  /** False when the datum needs a shift that proj4 does not have. */
  readonly datumShiftKnown: boolean;
}

/** A readable raster of any layout, seen as plain rows of pixels. */
export interface SourceRaster extends AsyncDisposable {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Data bands only: alpha and mask are offered through `readMask`. */
  readonly bands: readonly SourceBand[];
  readonly georeference: Georeference;
  readonly crs: SourceCrs | null;
  /** 256 entries at most, `[r, g, b]`, when band 0 is an index into it. */
  readonly palette: readonly (readonly [number, number, number])[] | null;
  readonly hasMask: boolean;
  /** Free-text metadata items (GDAL_METADATA names, TIFFTAG_DATETIME, …). */
  readonly metadata: Readonly<Record<string, string>>;
  /** Height of the natural read unit (strip or tile rows): reads aligned to it decode nothing twice. */
  readonly blockHeightPx: number;
  /**
   * Full-width rows `[firstRow, firstRow + rowCount)` of all bands, each `widthPx * rowCount` pixels, row-major.
   *
   * @throws {RasterError} unreadable when the file is truncated or contradicts itself
   */
  readRows(firstRow: number, rowCount: number, signal: AbortSignal): Promise<readonly PixelArray[]>;
  /** Validity of the same rows, 0 or 255, from the mask IFD or alpha band; null when `hasMask` is false. */
  readMask(firstRow: number, rowCount: number, signal: AbortSignal): Promise<Uint8Array | null>;
}
