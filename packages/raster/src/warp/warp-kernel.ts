import type { ControlLattice } from "@swath/kernel/raster-mathematics/control-lattice";
import { STRETCH_TABLE_SIZE, type ValueRange } from "@swath/kernel/raster-mathematics/stretch";
import type { Resampling } from "@swath/kernel/raster-mathematics/resample";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { KernelMemory, type KernelExports } from "@swath/kernel/web-assembly/kernel-memory";
import { WARP_MODULE } from "./warp.generated.ts";

const SPARE_BYTES = 16;

const TYPE_CODES: Readonly<Record<DataType, number>> = {
  uint8: 0,
  int8: 1,
  uint16: 2,
  int16: 3,
  uint32: 4,
  int32: 5,
  float32: 6,
  float64: 7,
};

export const BYTES_PER_SAMPLE: Readonly<Record<DataType, number>> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  float64: 8,
};

type Corners = readonly [number, number, number, number, number, number, number, number];
type WarpArguments = readonly [
  ...[src: number, srcBandStride: number, bands: number, srcW: number, srcH: number],
  ...[out: number, outBandStride: number, outStride: number, cellW: number, cellH: number],
  ...corners: Corners,
];

interface WarpExports extends KernelExports {
  readonly undoPredictor2: (ptr: number, rowBytes: number, rows: number, bytesPerSample: number) => void;
  readonly undoPredictor3: (
    ptr: number,
    rowBytes: number,
    rows: number,
    bytesPerSample: number,
    scratch: number,
  ) => void;
  readonly fillNaN: (ptr: number, count: number) => void;
  readonly place: (
    ...args: [
      ...[type: number, src: number, srcStride: number, widthPx: number, rows: number],
      ...[dst: number, dstStride: number, hasNodata: number, nodata: number],
    ]
  ) => void;
  readonly applyMask: (values: number, mask: number, count: number) => void;
  readonly warpNearest: (...args: WarpArguments) => void;
  readonly warpBilinear: (...args: WarpArguments) => void;
  readonly warpTriangle: (...args: [...WarpArguments, scaleX: number, scaleY: number]) => void;
  readonly takeFirst: (
    ...args: [
      ...[choice: number, wanted: number, clear: number, number: number],
      ...[planes: number, bands: number, count: number],
    ]
  ) => number;
  readonly compose: (
    ...args: [
      ...[red: number, green: number, blue: number],
      ...[lowR: number, gainR: number, lowG: number, gainG: number, lowB: number, gainB: number],
      ...[table: number, coverage: number, out: number, count: number],
    ]
  ) => number;
}

/** Native pixels of a block in kernel memory. */
export interface NativePixels {
  readonly ptr: number;
  readonly dataType: DataType;
  readonly widthPx: number;
}

/** A rectangle to copy, in pixels of its source and its target. */
export interface PixelRectangle {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Windows of several bands of one grid behind each other in kernel memory. */
export interface WindowStack {
  readonly ptr: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bands: number;
}

/** A scene whose pixels a mosaic may take; addresses of `count` values each. */
export interface TakenScene {
  /** Number of the scene, 1 to 255. */
  readonly number: number;
  /** float32 of each band; a pixel needs a value in each. */
  readonly planes: readonly number[];
  /** Bytes, 0 under clouds; null when no cloud is known. */
  readonly clear: number | null;
}

/** A mosaic that is filled scene by scene; addresses of `count` values each. */
export interface FilledMosaic {
  /** Bytes: the number of the scene of each pixel, 0 without one. */
  readonly choice: number;
  /** Bytes, 0 where no pixel is needed. */
  readonly wanted: number;
  /** float32 of each band, as many as a scene has. */
  readonly planes: readonly number[];
  readonly count: number;
}

/**
 * The vector kernel with its memory. Everything allocated since the last `reset` lives until the next:
 * one job, one arena. Not shared between threads.
 */
export class WarpKernel {
  readonly #memory = new KernelMemory<WarpExports>(WARP_MODULE, SPARE_BYTES);

  get #exports(): WarpExports {
    return this.#memory.exports;
  }

  /** Forgets every allocation. */
  reset(): void {
    this.#memory.reset();
  }

  /** Runs a step and forgets its allocations. The result must not lie in kernel memory. */
  scratch<T>(step: () => T): T {
    const { mark } = this.#memory;
    try {
      return step();
    } finally {
      this.#memory.rewind(mark);
    }
  }

  /** Address of `byteLength` bytes of unknown content, aligned to 16, with 16 spare bytes behind them. */
  allocate(byteLength: number): number {
    return this.#memory.allocate(byteLength);
  }

  /** A view of memory, valid until the next allocation. */
  bytes(ptr: number, byteLength: number): Uint8Array<ArrayBuffer> {
    return this.#memory.bytes(ptr, byteLength);
  }

  /** A view of memory, valid until the next allocation. */
  floats(ptr: number, count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#exports.memory.buffer, ptr, count);
  }

  /** Address of `count` float32 values, all NaN. */
  allocateFloats(count: number): number {
    const ptr = this.allocate(count * 4);
    this.#exports.fillNaN(ptr, count);
    return ptr;
  }

  undoPredictor(predictor: 1 | 2 | 3, pixels: NativePixels, heightPx: number, scratch: number): void {
    const bytesPerSample = BYTES_PER_SAMPLE[pixels.dataType];
    const rowBytes = pixels.widthPx * bytesPerSample;
    if (predictor === 2) this.#exports.undoPredictor2(pixels.ptr, rowBytes, heightPx, bytesPerSample);
    if (predictor === 3) this.#exports.undoPredictor3(pixels.ptr, rowBytes, heightPx, bytesPerSample, scratch);
  }

  /** Copies a rectangle of native pixels into a float32 window, with NaN for `nodata`. */
  place(
    source: NativePixels,
    rectangle: PixelRectangle,
    target: number,
    targetWidthPx: number,
    nodata: number | null,
  ): void {
    const bytesPerSample = BYTES_PER_SAMPLE[source.dataType];
    this.#exports.place(
      TYPE_CODES[source.dataType],
      source.ptr + (rectangle.fromY * source.widthPx + rectangle.fromX) * bytesPerSample,
      source.widthPx * bytesPerSample,
      rectangle.widthPx,
      rectangle.heightPx,
      target + (rectangle.toY * targetWidthPx + rectangle.toX) * 4,
      targetWidthPx * 4,
      nodata === null ? 0 : 1,
      nodata ?? 0,
    );
  }

  applyMask(values: number, mask: number, count: number): void {
    this.#exports.applyMask(values, mask, count);
  }

  /**
   * Resamples every band of a stack along a lattice of positions in the stack's windows.
   * Band `i` is written to `out + i * outBandStride` bytes, with rows of `outWidthPx` pixels.
   * Output pixels without source are not written.
   */
  warp(
    source: WindowStack,
    lattice: ControlLattice,
    resampling: Resampling,
    out: number,
    outWidthPx: number,
    outBandStride: number,
  ): void {
    const { cellPx, columns, rows, x, y } = lattice;
    for (let row = 0; row < rows - 1; row++) {
      for (let column = 0; column < columns - 1; column++) {
        const a = row * columns + column;
        const b = a + columns;
        const corners: Corners = [x[a]!, y[a]!, x[a + 1]!, y[a + 1]!, x[b]!, y[b]!, x[b + 1]!, y[b + 1]!];
        if (!corners.every(Number.isFinite)) continue;
        const left = column * cellPx;
        const top = row * cellPx;
        const args: WarpArguments = [
          source.ptr,
          source.widthPx * source.heightPx * 4,
          source.bands,
          source.widthPx,
          source.heightPx,
          out + (top * outWidthPx + left) * 4,
          outBandStride,
          outWidthPx * 4,
          Math.min(cellPx, lattice.widthPx - left),
          Math.min(cellPx, lattice.heightPx - top),
          ...corners,
        ];
        if (resampling.kind === "nearest") this.#exports.warpNearest(...args);
        else if (resampling.kind === "bilinear") this.#exports.warpBilinear(...args);
        else this.#exports.warpTriangle(...args, resampling.scaleX, resampling.scaleY);
      }
    }
  }

  /** Gives a scene the wanted pixels that no scene has so far; answers how many it took. */
  takeFirst({ choice, wanted, planes, count }: FilledMosaic, scene: TakenScene): number {
    const addresses = Uint32Array.of(...scene.planes, ...planes);
    return this.scratch(() => {
      const table = this.allocate(addresses.byteLength);
      this.bytes(table, addresses.byteLength).set(new Uint8Array(addresses.buffer));
      return this.#exports.takeFirst(choice, wanted, scene.clear ?? 0, scene.number, table, planes.length, count);
    });
  }

  /** Three planes to RGBA at `out`; answers how many pixels are visible. */
  compose(
    planes: readonly [number, number, number],
    ranges: readonly [ValueRange, ValueRange, ValueRange],
    table: number,
    coverage: number,
    out: number,
    count: number,
  ): number {
    const [r, g, b] = ranges;
    return this.#exports.compose(
      ...planes,
      ...([r.low, gain(r), g.low, gain(g), b.low, gain(b)] as const),
      ...([table, coverage, out, count] as const),
    );
  }
}

function gain(range: ValueRange): number {
  return (STRETCH_TABLE_SIZE - 1) / (range.high - range.low);
}
