import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { RgbaImage } from "@swath/raster/encode/image";
import type { PixelArray } from "@swath/raster/source-raster";
import type { SceneModel } from "./scene-model.ts";

/** The pixels or the picture that a thread draws. */
export type DrawTask =
  | {
      readonly kind: "rows";
      /** Indexes of bands of one grid. */
      readonly bands: readonly number[];
      readonly column: number;
      readonly row: number;
      readonly columns: number;
      readonly rows: number;
      /** Of each band the pixels of a wider window, row-major, of which these are some columns. */
      readonly targets: readonly SharedArrayBuffer[];
      readonly targetWidthPx: number;
      readonly targetColumn: number;
    }
  | { readonly kind: "picture"; readonly longestSidePx: number };

export interface ToDrawWorker {
  readonly id: number;
  /** Equal for equal models: a thread keeps the data of a model for the next task. */
  readonly modelKey: number;
  readonly model: SceneModel;
  readonly task: DrawTask;
}

export type FromDrawWorker =
  | { readonly kind: "drawn"; readonly id: number; readonly picture: RgbaImage | null }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

const VIEWS: Readonly<Record<DataType, (buffer: SharedArrayBuffer) => PixelArray>> = {
  uint8: (buffer) => new Uint8Array(buffer),
  int8: (buffer) => new Int8Array(buffer),
  uint16: (buffer) => new Uint16Array(buffer),
  int16: (buffer) => new Int16Array(buffer),
  uint32: (buffer) => new Uint32Array(buffer),
  int32: (buffer) => new Int32Array(buffer),
  float32: (buffer) => new Float32Array(buffer),
  float64: (buffer) => new Float64Array(buffer),
};

/** Shared pixels as an array of a band's type. */
export function pixelView(dataType: DataType, buffer: SharedArrayBuffer): PixelArray {
  return VIEWS[dataType](buffer);
}
