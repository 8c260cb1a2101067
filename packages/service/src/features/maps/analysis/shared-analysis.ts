import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { AnalysisJob } from "@swath/maps/engine/analysis-job";
import { decodePlain } from "@swath/maps/engine/plain-data";

/** An analysis and the model of its survey, as the workers of its parts read them. */
export interface SharedAnalysis {
  readonly job: Omit<AnalysisJob, "folder" | "paths">;
  readonly model: unknown;
}

/** Models are forests of some megabytes, objects of a part some tens. */
const MAX_SHARED_BYTES = 512 * 1024 * 1024;

/** A value that another process has written with `encodePlain`. */
export async function readShared(blobs: BlobStore, key: string): Promise<unknown> {
  return decodePlain(await blobs.read(key, 0, MAX_SHARED_BYTES));
}
