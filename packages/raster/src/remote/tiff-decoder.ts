import { Worker } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ThreadCalls, type CallAnswer } from "@swath/base/threads/thread-calls";
import type { ByteSource } from "../byte-source.ts";
import { RasterError } from "../raster-error.ts";
import type { SourceRaster } from "../source-raster.ts";
import { DEFAULT_FILE_LIMITS } from "../store/file-limits.ts";
import type { TiffLimits } from "../tiff/limits.ts";
import type { PlacedImage } from "../tiff/open.ts";
import type { PixelWindow } from "../tiff/pixel-window.ts";
import type { FromTiffThread, ToTiffThread } from "./tiff-calls.ts";

export interface DecodeOptions {
  /** The part that is wanted, null for all; see `OpenTiffOptions`. */
  readonly window?: (image: PlacedImage) => PixelWindow | null;
  readonly coarseSidePx?: number;
}

interface DecodingThread {
  readonly worker: Worker;
  readonly calls: ThreadCalls;
}

/** A file that is open in the thread. */
interface DecodedFile {
  readonly source: ByteSource;
  readonly window: ((image: PlacedImage) => PixelWindow | null) | null;
  /** Of the last read: the thread fetches bytes for it. */
  signal: AbortSignal;
}

/** Decoded bytes of a row of blocks are the memory that a file can ask for; COGs need a tenth. */
const LIMITS: Partial<TiffLimits> = { maxBlockBytes: 128 * 2 ** 20, maxBlockRowBytes: 512 * 2 ** 20 };
/** The heap of the thread; pixels are outside of it, within the limits of the reader. */
const MAX_HEAP_MIB = 512;

/**
 * Decodes remote TIFF files in a separate thread, which asks this thread for their bytes: connections, credentials and
 * caches stay here. The thread ends with the decoder, whatever it does, and when it computes for too long at a stretch.
 */
export class TiffDecoder implements AsyncDisposable {
  readonly #limitMs: number;
  readonly #files: DecodedFile[] = [];
  #thread: DecodingThread | null = null;
  #ended: unknown = null;
  /** Questions of the thread that this thread works on. */
  #asked = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number = DEFAULT_FILE_LIMITS.baseMs) {
    this.#limitMs = limitMs;
  }

  /**
   * As `openTiff`. Disposing of the raster leaves the thread to others of the decoder.
   *
   * @throws {ServiceError} as `openTiff`, and SCENE-UNREADABLE when decoding takes too long; errors of the source
   */
  async open(source: ByteSource, options: DecodeOptions, signal: AbortSignal): Promise<SourceRaster> {
    const file = this.#files.push({ source, window: options.window ?? null, signal }) - 1;
    const { name, sizeBytes } = source;
    const input = { file, name, sizeBytes, coarseSidePx: options.coarseSidePx ?? null, limits: LIMITS };
    const description = await this.#call("open", input, signal);
    return {
      ...description,
      readRows: (firstRow, rowCount, reading) => this.#call("rows", { file, firstRow, rowCount }, reading),
      readMask: async (firstRow, rowCount, reading) =>
        description.hasMask ? await this.#call("mask", { file, firstRow, rowCount }, reading) : null,
      async [Symbol.asyncDispose]() {},
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(new Error("the decoder is closed"));
  }

  async #call<Name extends keyof ToTiffThread>(
    name: Name,
    input: ToTiffThread[Name]["input"],
    signal: AbortSignal,
  ): Promise<ToTiffThread[Name]["output"]> {
    signal.throwIfAborted();
    if (this.#ended !== null) throw this.#ended;
    const { calls } = (this.#thread ??= this.#start());
    const file = this.#files[input.file];
    if (file !== undefined) file.signal = signal;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const answer = calls.call(name, input);
    this.#watch();
    try {
      return (await Promise.race([answer, aborted.promise])) as ToTiffThread[Name]["output"];
    } finally {
      signal.removeEventListener("abort", abort);
      // An aborted call may fail later, with the end of the thread.
      answer.catch(() => {});
      this.#watch();
    }
  }

  #start(): DecodingThread {
    const worker = new Worker(new URL("tiff-thread.ts", import.meta.url), {
      name: "swath-tiff",
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    const calls = new ThreadCalls(worker, (name, input) => this.#serve(name as keyof FromTiffThread, input));
    worker.on("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      const took = `${this.#names()} takes more than ${MAX_HEAP_MIB} MiB of memory to decode`;
      void this.#end(isMemory ? new RasterError("unreadable", took) : error);
    });
    worker.on("exit", () => void this.#end(new Error("the thread that decodes files ended unexpectedly")));
    return { worker, calls };
  }

  /** Expected failures reach the reader through the thread; any other ends the thread, unchanged. */
  async #serve(name: keyof FromTiffThread, input: unknown): Promise<CallAnswer> {
    this.#asked += 1;
    this.#watch();
    try {
      return { output: await this.#answer(name, input) };
    } catch (error) {
      if (!(error instanceof ServiceError)) await this.#end(error);
      throw error;
    } finally {
      this.#asked -= 1;
      this.#watch();
    }
  }

  async #answer(name: keyof FromTiffThread, input: unknown): Promise<unknown> {
    const { file } = input as { readonly file: number };
    const known = this.#files[file];
    if (known === undefined) throw new Error(`the file ${file} is not open`);
    const { source, window, signal } = known;
    switch (name) {
      case "available":
        return (await source.available?.((input as FromTiffThread["available"]["input"]).offset)) ?? 0;
      case "fetch": {
        const { offset, length } = input as FromTiffThread["fetch"]["input"];
        return await source.fetch(offset, length, { signal });
      }
      case "plan": {
        const { ranges } = input as FromTiffThread["plan"]["input"];
        const pairs = Array.from({ length: ranges.length / 2 }, (_, i) => i * 2);
        source.plan?.(pairs.map((at) => ({ start: ranges[at] ?? 0, end: ranges[at + 1] ?? 0 })));
        return null;
      }
      case "window":
        return window?.((input as FromTiffThread["window"]["input"]).image) ?? null;
    }
    return name satisfies never;
  }

  /** The clock runs while the thread computes for somebody, and starts anew whenever it asks or answers. */
  #watch(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#asked > 0 || (this.#thread?.calls.waiting ?? 0) === 0) return;
    const took = (): string => `${this.#names()} takes longer than ${this.#limitMs / 1000} s to decode`;
    this.#timer = setTimeout(() => void this.#end(new RasterError("unreadable", took())), this.#limitMs);
  }

  #names(): string {
    return this.#files
      .map(({ source }) => source.name)
      .join(", ")
      .slice(0, 200);
  }

  async #end(reason: unknown): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#ended ??= reason;
    this.#thread?.calls.fail(this.#ended);
    await this.#thread?.worker.terminate();
  }
}
