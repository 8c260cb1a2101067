import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { RgbaImage } from "@swath/raster/encode/image";
import type { PixelArray } from "@swath/raster/source-raster";
import { BYTES_PER_PIXEL } from "@swath/raster/store/pixel-type";
import { pixelView, type DrawTask, type FromDrawWorker, type ToDrawWorker } from "./draw-task.ts";
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

/** Each remembers up to 128 MiB of what it has drawn. */
const MAX_THREADS = 4;
/** Width of a piece: its blocks are drawn once for all bands, in some tens of milliseconds. */
const PIECE_PX = 2 * BLOCK_PX;
/** Pieces of one window that wait or are drawn at once, for each thread: others get their turn in between. */
const PIECES_PER_THREAD = 2;

interface Job {
  readonly message: ToDrawWorker;
  readonly resolve: (picture: RgbaImage | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
}

export function createDrawThreads(threads: number = Math.min(availableParallelism(), MAX_THREADS)): DrawThreads {
  const started = new Set<Thread>();
  let queue: Job[] = [];
  let lastId = 0;
  let closed = false;

  const modelKeys = new WeakMap<SceneModel, number>();
  let lastKey = 0;
  const keyOf = (model: SceneModel): number => {
    const known = modelKeys.get(model);
    if (known !== undefined) return known;
    lastKey += 1;
    modelKeys.set(model, lastKey);
    return lastKey;
  };

  const start = (): Thread => {
    const worker = new Worker(new URL("draw-worker.ts", import.meta.url), { name: "swath-simulator" });
    const thread: Thread = { worker, job: null };
    let failure: unknown = new Error("the thread that drew the scene ended unexpectedly");
    worker.on("message", (answer: FromDrawWorker) => {
      const { job } = thread;
      if (job === null || job.message.id !== answer.id) return;
      thread.job = null;
      // Only work keeps the process alive, not idle threads.
      worker.unref();
      if (answer.kind === "drawn") job.resolve(answer.picture);
      else job.reject(new Error(`the scene could not be drawn: ${answer.message}`));
      dispatch();
    });
    worker.on("error", (error) => {
      failure = error;
    });
    worker.on("exit", () => {
      started.delete(thread);
      thread.job?.reject(failure);
      thread.job = null;
      dispatch();
    });
    started.add(thread);
    return thread;
  };

  const dispatch = (): void => {
    if (closed) return;
    while (queue.length > 0) {
      const idle = [...started].find(({ job }) => job === null) ?? (started.size < threads ? start() : null);
      const job = queue[0];
      if (idle === null || job === undefined) return;
      queue = queue.slice(1);
      idle.job = job;
      idle.worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      idle.worker.postMessage(job.message);
    }
  };

  const run = async (model: SceneModel, task: DrawTask, signal: AbortSignal): Promise<RgbaImage | null> => {
    signal.throwIfAborted();
    if (closed) throw new Error("scenes were drawn after the end of their threads");
    const { promise, resolve, reject } = Promise.withResolvers<RgbaImage | null>();
    lastId += 1;
    const job: Job = { message: { id: lastId, modelKey: keyOf(model), model, task }, resolve, reject };
    const abort = (): void => {
      // A piece in the making is finished and dropped.
      queue = queue.filter((one) => one !== job);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    queue.push(job);
    dispatch();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };

  return {
    async rows(model, bands, { column, row, columns, rows }, signal) {
      const outputs = bands.flatMap((index): PixelArray[] => {
        const band = model.bands[index];
        if (band === undefined) throw new RangeError(`the scene has ${model.bands.length} bands, got index ${index}`);
        const bytes = columns * rows * BYTES_PER_PIXEL[band.dataType];
        return [pixelView(band.dataType, new SharedArrayBuffer(bytes))];
      });
      const targets = outputs.flatMap(({ buffer }) => (buffer instanceof SharedArrayBuffer ? [buffer] : []));
      const pieces = piecesOf(column, columns);
      const draw = async (): Promise<void> => {
        for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
          const [from, to] = piece.value;
          const task: DrawTask = {
            kind: "rows",
            bands,
            column: from,
            row,
            columns: to - from,
            rows,
            targets,
            targetWidthPx: columns,
            targetColumn: from - column,
          };
          // oxlint-disable-next-line no-await-in-loop -- that is the limit
          await run(model, task, signal);
        }
      };
      await Promise.all(Array.from({ length: threads * PIECES_PER_THREAD }, draw));
      return outputs;
    },

    async picture(model, longestSidePx, signal) {
      const picture = await run(model, { kind: "picture", longestSidePx }, signal);
      if (picture === null) throw new Error("the scene was drawn without a picture");
      return picture;
    },

    async [Symbol.asyncDispose]() {
      closed = true;
      const stopping = new Error("the threads that draw scenes have ended");
      for (const { reject } of queue.splice(0)) reject(stopping);
      await Promise.all([...started].map(async ({ worker }) => worker.terminate()));
    },
  };
}

/** Columns `[from, to)`; pieces end where blocks of the band do. */
function* piecesOf(column: number, columns: number): Generator<readonly [number, number], undefined, undefined> {
  for (let from = column; from < column + columns;) {
    const to = Math.min((Math.floor(from / PIECE_PX) + 1) * PIECE_PX, column + columns);
    yield [from, to];
    from = to;
  }
}
