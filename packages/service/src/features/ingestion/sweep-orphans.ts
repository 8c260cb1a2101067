import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import { findActive, sweepOrphans, type BlobUse, type OrphanSweep } from "../../platform/storage/sweep-orphans.ts";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { findNamedSceneBlobs, findNamedUploads } from "./orphan-store.ts";

/** Keys of runs: `scenes/<scene>/<pipeline>-<attempt>…`. */
const SCENES: BlobUse = {
  prefix: "scenes/",
  pipelineOf: (key) => key.split("/")[2]?.split("-", 1)[0] ?? null,
  findNamed: findNamedSceneBlobs,
};

const UPLOADS: BlobUse = { prefix: "uploads/", pipelineOf: () => null, findNamed: findNamedUploads };

export interface IngestionOrphans extends OrphanSweep {
  readonly blobs: BlobStore;
  readonly folders: Pick<WorkFolders, "removeAbandoned">;
}

/** Removes remains of killed processes: blobs and uploads without rows, unfinished writes, work folders. */
export async function sweepIngestionOrphans(sweep: IngestionOrphans, signal: AbortSignal): Promise<number> {
  const { blobs, clock, db, folders, minAgeMs } = sweep;
  const beforeMs = clock.now().getTime() - minAgeMs;
  const scenes = await sweepOrphans(sweep, SCENES, signal);
  const uploads = await sweepOrphans(sweep, UPLOADS, signal);
  const unfinished = await blobs.removeUnfinished(beforeMs);
  const abandoned = await folders.removeAbandoned(beforeMs, (ids) => findActive(db, ids));
  return scenes + uploads + unfinished + abandoned;
}
