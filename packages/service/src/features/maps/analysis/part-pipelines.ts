import type { PixelRect } from "@swath/maps/analysis/block";
import type { Caller, Db } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { PipelineService } from "../../../platform/queue/pipeline-service.ts";

/** Request of the pipeline of one part. */
export interface PartRequest {
  /** Start of the keys of the result's blobs. */
  readonly prefix: string;
  /** Position of the part from the top. */
  readonly part: number;
  readonly window: PixelRect;
}

/** Kind of the pipelines that compute parts; no operation initiates or retrieves them. */
export const PART_KIND = "/mapsvc/analyse-part";
/** Lane of these pipelines: others wait for them and must not take their places. */
export const PART_LANE = "parts";
/** Owns these pipelines, so that no user can end the work of others. */
const ANALYST: Caller = {
  kind: "anonymous",
  userId: "service:maps",
  groupId: "",
  email: "",
  permissions: new Set(),
};
const POLL_MS = 1000;

/** Enqueues a pipeline for each window; their ids in the same order. */
export async function enqueueParts(
  db: Db,
  pipelines: Pick<PipelineService, "enqueue">,
  prefix: string,
  windows: readonly PixelRect[],
): Promise<readonly string[]> {
  return await inTransaction(db, async (trx) => {
    const enqueued: string[] = [];
    for (const [part, window] of windows.entries()) {
      const request: PartRequest = { prefix, part, window };
      const { pipelineId } = await pipelines.enqueue(trx, {
        kind: PART_KIND,
        lane: PART_LANE,
        request,
        caller: ANALYST,
        baseUrl: "",
        // The parts of one result wait their turn behind one part of each other.
        share: prefix,
        isInner: true,
      });
      enqueued.push(pipelineId);
    }
    return enqueued;
  });
}

/** Waits until all have ended; the first failure cancels the others. @throws {ServiceError} the failure of a part */
export async function waitForParts(
  pipelines: Pick<PipelineService, "cancel" | "retrieve" | "waitFor">,
  ids: readonly string[],
  signal: AbortSignal,
  onProgress?: (share: number) => void,
): Promise<void> {
  try {
    for (const [done, pipelineId] of ids.entries()) {
      for (;;) {
        const status = await pipelines.waitFor(pipelineId, signal, POLL_MS);
        signal.throwIfAborted();
        if (status === "RESOLVED" || status === "FAILED") break;
      }
      // Throws the failure of the part.
      await pipelines.retrieve({ kind: PART_KIND, pipelineId, caller: ANALYST });
      onProgress?.((done + 1) / (ids.length + 1));
    }
  } catch (error) {
    // Ended pipelines refuse to be cancelled, which does no harm.
    await Promise.allSettled(ids.map(async (pipelineId) => pipelines.cancel(pipelineId, ANALYST)));
    throw error;
  }
}
