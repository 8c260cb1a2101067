import type { GetImageRequest, GetImageResult } from "@swath/contract/features/export/contract";
import type { PipelineJob, PipelineOutcome, RequestContext } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import { admitImage } from "./admit-image.ts";
import { exportImage, type ExportImageDeps } from "./export-image.ts";
import { imageFile, sweepImages, type ImageFileRequest } from "./image-files.ts";

export type { ImageMaker } from "./export-image.ts";

export interface ExportService {
  /** Refuses an export that fails for reasons known without its pixels. */
  admit(request: GetImageRequest, context: RequestContext): Promise<void>;
  run(request: GetImageRequest, job: PipelineJob): Promise<PipelineOutcome<GetImageResult>>;
  /** A file by its signed address. */
  file(request: ImageFileRequest): Promise<FileAnswer>;
  /** Removes files whose addresses have ended; the number of images. */
  sweep(): Promise<number>;
}

export function createExportService(deps: ExportImageDeps): ExportService {
  return {
    admit: (request, { caller, signal }) => admitImage(deps, request, caller, signal),
    run: (request, job) => exportImage(deps, request, job),
    file: (request) => imageFile(deps, request),
    sweep: () => sweepImages(deps),
  };
}
