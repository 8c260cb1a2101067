import type { RasterDescription } from "../store/relayed-raster.ts";
import type { TiffLimits } from "../tiff/limits.ts";
import type { PlacedImage } from "../tiff/open.ts";
import type { PixelArray } from "../source-raster.ts";
import type { PixelWindow } from "../tiff/pixel-window.ts";

/** Input and output of each call to the thread that decodes. */
export interface ToTiffThread {
  readonly open: {
    readonly input: {
      readonly file: number;
      readonly name: string;
      readonly sizeBytes: number;
      readonly coarseSidePx: number | null;
      readonly limits: Partial<TiffLimits>;
    };
    readonly output: RasterDescription;
  };
  readonly rows: { readonly input: FileRows; readonly output: readonly PixelArray[] };
  readonly mask: { readonly input: FileRows; readonly output: Uint8Array | null };
}

export interface FileRows {
  readonly file: number;
  readonly firstRow: number;
  readonly rowCount: number;
}

/** Input and output of each call of the thread. */
export interface FromTiffThread {
  readonly fetch: {
    readonly input: { readonly file: number; readonly offset: number; readonly length: number };
    readonly output: Uint8Array;
  };
  readonly available: { readonly input: { readonly file: number; readonly offset: number }; readonly output: number };
  readonly window: {
    readonly input: { readonly file: number; readonly image: PlacedImage };
    readonly output: PixelWindow | null;
  };
  /** Starts and ends of byte ranges in turn. */
  readonly plan: { readonly input: { readonly file: number; readonly ranges: Float64Array }; readonly output: null };
}
