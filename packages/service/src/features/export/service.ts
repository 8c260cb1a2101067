import type { GetImageRequest, GetImageResult } from "@swath/contract/features/export/contract";
import type { Log } from "@swath/base/log/log";
import type { Caller, FileAnswer, PipelineJob, PipelineOutcome, Trx } from "../../platform/context.ts";
import { admitImage } from "./admit-image.ts";
import { exportImage, type ExportImageDeps } from "./export-image.ts";
import { imageFile, sweepImages, type ImageFileRequest } from "./image-files.ts";

export type { ImageMaker } from "./export-image.ts";

export interface ExportService extends AsyncDisposable {
  /** Refuses an export that fails for reasons known without its pixels. */
  admit(request: GetImageRequest, caller: Caller, transaction: Trx, signal: AbortSignal): Promise<undefined>;
  run(request: GetImageRequest, job: PipelineJob): Promise<PipelineOutcome<GetImageResult>>;
  /** A file by its signed address. */
  file(request: ImageFileRequest): Promise<FileAnswer>;
  /** Removes files whose addresses have ended; the number of images. Also runs now and then by itself. */
  sweep(): Promise<number>;
}

export interface ExportServiceDeps extends ExportImageDeps {
  readonly log: Log;
}

const SWEEP_EVERY_MS = 10 * 60 * 1000;

export function createExportService(deps: ExportServiceDeps): ExportService {
  let sweeping: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping
      .then(() => sweepImages(deps))
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, "files of exported images could not be removed");
      });
  }, SWEEP_EVERY_MS);
  // Clean-up must not keep a process alive.
  timer.unref();
  return {
    async admit(request, caller, transaction, signal) {
      await admitImage(deps, request, caller, transaction, signal);
      return undefined;
    },
    run: (request, job) => exportImage(deps, request, job),
    file: (request) => imageFile(deps, request),
    sweep: () => sweepImages(deps),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
