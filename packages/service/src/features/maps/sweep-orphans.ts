import { sweepOrphans, type BlobUse, type OrphanSweep } from "../../platform/storage/sweep-orphans.ts";
import { findNamedDownloads, findNamedResultBlobs } from "./orphan-store.ts";

const RESULTS: BlobUse = { prefix: "results/", pipelineOf: () => null, findNamed: findNamedResultBlobs };
const DOWNLOADS: BlobUse = {
  prefix: "downloads/",
  pipelineOf: (key) => key.split("/")[1] ?? null,
  findNamed: findNamedDownloads,
};

/** Removes blobs of results and downloads that no row names; how many. */
export async function sweepMapOrphans(sweep: OrphanSweep, signal: AbortSignal): Promise<number> {
  return (await sweepOrphans(sweep, RESULTS, signal)) + (await sweepOrphans(sweep, DOWNLOADS, signal));
}
