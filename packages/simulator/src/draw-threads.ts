import { availableParallelism } from "node:os";
import type { RgbaImage } from "@swath/raster/encode/image";
import type { PixelArray } from "@swath/raster/source-raster";
import { BYTES_PER_PIXEL } from "@swath/raster/store/pixel-type";
import { drawPool, endPool, runInPool, type DrawPool } from "./draw-pool.ts";
import { pixelView } from "./draw-task.ts";
import type { SceneModel } from "./scene-model.ts";
import { BLOCK_PX } from "./world/render.ts";

/** Pixels of bands of one grid, in columns and rows of that grid. */
export interface DrawWindow {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** Threads that draw simulated scenes, started when they are needed. */
export interface DrawThreads extends AsyncDisposable {
  /** Row-major pixels of each band, in shared memory. */
  rows(
    model: SceneModel,
    bands: readonly number[],
    window: DrawWindow,
    signal: AbortSignal,
  ): Promise<readonly PixelArray[]>;
  picture(model: SceneModel, longestSidePx: number, signal: AbortSignal): Promise<RgbaImage>;
}

/** Each keeps up to 64 MiB of drawn blocks. */
const MAX_THREADS = 4;
/** Width of a piece: its blocks are drawn once for all bands, in some tens of milliseconds. */
const PIECE_PX = 2 * BLOCK_PX;
/** Pieces of one window that wait or are drawn at once, for each thread: others get their turn in between. */
const PIECES_PER_THREAD = 2;

export function createDrawThreads(threads: number = Math.min(availableParallelism(), MAX_THREADS)): DrawThreads {
  const pool = drawPool(threads);
  return {
    rows: (model, bands, window, signal) => drawRows(pool, model, bands, window, signal),

    async picture(model, longestSidePx, signal) {
      const picture = await runInPool(pool, model, { kind: "picture", longestSidePx }, signal);
      if (picture === null) throw new Error("the scene was drawn without a picture");
      return picture;
    },

    [Symbol.asyncDispose]: () => endPool(pool),
  };
}

/** Draws the window in pieces, some in each thread. */
async function drawRows(
  pool: DrawPool,
  model: SceneModel,
  bands: readonly number[],
  { column, row, columns, rows }: DrawWindow,
  signal: AbortSignal,
): Promise<readonly PixelArray[]> {
  const outputs = bands.flatMap((index): PixelArray[] => {
    const band = model.bands[index];
    if (band === undefined) throw new RangeError(`the scene has ${model.bands.length} bands, got index ${index}`);
    const bytes = columns * rows * BYTES_PER_PIXEL[band.dataType];
    return [pixelView(band.dataType, new SharedArrayBuffer(bytes))];
  });
  const targets = outputs.flatMap(({ buffer }) => (buffer instanceof SharedArrayBuffer ? [buffer] : []));
  const target = { bands, row, rows, targets, targetWidthPx: columns };
  const pieces = piecesOf(column, columns);
  const draw = async (): Promise<void> => {
    for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
      const [from, to] = piece.value;
      const task = { kind: "rows", ...target, column: from, columns: to - from, targetColumn: from - column } as const;
      await runInPool(pool, model, task, signal);
    }
  };
  await Promise.all(Array.from({ length: pool.size * PIECES_PER_THREAD }, draw));
  return outputs;
}

/** Columns `[from, to)`; pieces end where blocks of the band do. */
function* piecesOf(column: number, columns: number): Generator<readonly [number, number], undefined, undefined> {
  for (let from = column; from < column + columns;) {
    const to = Math.min((Math.floor(from / PIECE_PX) + 1) * PIECE_PX, column + columns);
    yield [from, to];
    from = to;
  }
}
