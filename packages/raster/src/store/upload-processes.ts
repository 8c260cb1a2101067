import { stat } from "node:fs/promises";
import { JobLimitError, JobProcesses } from "@swath/base/processes/job-processes";
import { RasterError } from "../raster-error.ts";
import { DEFAULT_FILE_LIMITS, timeLimitMs, type FileLimits } from "./file-limits.ts";
import type { UploadJob } from "./read-upload.ts";
import type { SceneDraft } from "./scene-draft.ts";
import type { UploadMessage, UploadOutcome } from "./upload-process.ts";

const MAX_IDLE = 2;

/**
 * Reads uploads in separate processes: a file that takes too long or too much memory ends with its process, and harms
 * neither the service nor other files.
 */
export class UploadProcesses implements AsyncDisposable {
  readonly #limits: FileLimits;
  readonly #processes: JobProcesses;

  /** @param environment of the processes: where programs and data of GDAL are */
  constructor(limits: FileLimits = DEFAULT_FILE_LIMITS, environment: Readonly<Record<string, string>> = {}) {
    this.#limits = limits;
    this.#processes = new JobProcesses({
      entry: new URL("upload-process.ts", import.meta.url),
      does: "reads files",
      memoryBytes: limits.memoryBytes,
      environment,
      maxIdle: MAX_IDLE,
    });
  }

  /** The living processes, to be watched. */
  get pids(): readonly number[] {
    return this.#processes.pids;
  }

  /**
   * Runs `readUpload` in a process. When the signal aborts, the process ends before the promise rejects.
   *
   * @throws {RasterError} as `readUpload`; unreadable when the file takes more time or memory than the limits, or
   * crashes native code
   */
  async read(job: UploadJob, signal: AbortSignal, onProgress?: (share: number) => void): Promise<SceneDraft> {
    const { size: fileBytes } = await stat(job.path);
    let pixelBytes = 0;
    const limitMs = (): number => timeLimitMs(this.#limits, fileBytes, pixelBytes);
    try {
      const outcome = await this.#processes.run<UploadMessage, UploadOutcome>(
        {
          input: job,
          timeoutMs: limitMs(),
          onMessage: (message, allowMs) => {
            if (message.kind === "progress") onProgress?.(message.share);
            else {
              ({ pixelBytes } = message);
              allowMs(limitMs());
            }
          },
        },
        signal,
      );
      if (outcome.kind === "draft") return outcome.draft;
      const { reason, message, details } = outcome;
      throw new RasterError(reason, message, details.length > 0 ? { details } : {});
    } catch (error) {
      if (!(error instanceof JobLimitError)) throw error;
      throw new RasterError("unreadable", `${job.name} ${this.#excess(error, limitMs(), fileBytes, pixelBytes)}`, {
        cause: error,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#processes[Symbol.asyncDispose]();
  }

  #excess({ limit }: JobLimitError, limitMs: number, fileBytes: number, pixelBytes: number): string {
    if (limit === "memory") {
      return `takes more memory than the ${Math.round(this.#limits.memoryBytes / 2 ** 20)} MiB that reading a file may take`;
    }
    if (limit === "crash") return "crashes the library that decodes it";
    return `takes longer than the ${limitMs / 1000} s that reading ${fileBytes} bytes with ${pixelBytes} bytes of pixels may take`;
  }
}
