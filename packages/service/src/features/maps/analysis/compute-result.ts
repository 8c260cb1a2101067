import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Analyser } from "@swath/maps/engine/analyser";
import type { AnalysisJob } from "@swath/maps/engine/analysis-job";
import type { Db } from "../../../platform/context.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { removeAbandoned } from "./abandoned-results.ts";
import { keepResult } from "./keep-result.ts";
import type { AnalysisParts } from "./parts.ts";
import { ownerPrefix, removeBlobs, resultPrefix } from "./result-blobs.ts";
import { holdResult } from "./result-lease.ts";
import { metadataOf, type ResultRequest } from "./result-plan.ts";
import * as store from "./result-store.ts";

export interface ComputeResultDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly folders: WorkFolders;
  readonly analyser: Analyser;
  /** Shares large windows out among all workers. */
  readonly parts: Pick<AnalysisParts, "compute">;
  /** Windows of more pixels are shared out; absent: windows that take seconds on all cores of one machine. */
  readonly sharedPixels?: number;
}

/** A result that its owner has claimed. */
export interface ClaimedResult {
  readonly resultId: string;
  readonly owner: string;
  readonly request: ResultRequest;
  readonly job: Omit<AnalysisJob, "folder">;
}

export type OnProgress = (share: number) => void;

const SHARED_PIXELS = 24_000_000;

/** Computes a claimed result; null when another owner has taken the work over. */
export async function computeResult(
  deps: ComputeResultDeps,
  claimed: ClaimedResult,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<store.ResultRow | null> {
  const { db, blobs, folders } = deps;
  const { resultId, owner } = claimed;
  using lease = holdResult(db, resultId, owner);
  const prefix = ownerPrefix(resultId, owner);
  const folder = await folders.create(owner.replaceAll("-", ""), 1);
  let finished: store.ResultRow | null = null;
  try {
    using guard = folders.guard(folder, AbortSignal.any([signal, lease.lost]));
    finished = await computeIn(deps, claimed, folder, guard.signal, onProgress);
    return finished;
  } catch (error) {
    if (lease.lost.aborted) return null;
    // Before another owner can take the work. A failed removal must not hide the first error.
    await removeBlobs(blobs, prefix).catch(() => {});
    await store.releaseResult(db, resultId, owner);
    throw error;
  } finally {
    await folders.remove(folder);
    if (lease.lost.aborted && finished === null) await removeBlobs(blobs, prefix).catch(() => {});
  }
}

async function computeIn(
  deps: ComputeResultDeps,
  { resultId, owner, request, job }: ClaimedResult,
  folder: string,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<store.ResultRow | null> {
  const { db, clock, blobs } = deps;
  const prefix = ownerPrefix(resultId, owner);
  // Remains of dead processes, of this result and of others. The analysis does not depend on their removal.
  await removeAbandoned(db, blobs).catch(() => {});
  await removeBlobs(blobs, resultPrefix(resultId)).catch(() => {});
  const row = { resultId, ...(await produceResult(deps, { request, job, folder, prefix }, signal, onProgress)) };
  return (await store.finishResult(db, row, owner, clock.now())) ? row : null;
}

/** What is computed, in which folder, and the start of the keys of its blobs. */
interface ProducedWork extends Pick<ClaimedResult, "job" | "request"> {
  readonly folder: string;
  readonly prefix: string;
}

/** Computes the layers and objects of a result and keeps them as blobs. */
export async function produceResult(
  { blobs, analyser, parts, sharedPixels = SHARED_PIXELS }: ComputeResultDeps,
  { request, job, folder, prefix }: ProducedWork,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Omit<store.ResultRow, "resultId">> {
  const work = { ...job, folder };
  const { model, description } = await analyser.run({ stage: "survey", job: work }, signal);
  const isShared = job.window.columns * job.window.rows > sharedPixels;
  const product = isShared
    ? await parts.compute(prefix, work, model, signal, onProgress)
    : await analyser.run({ stage: "whole", job: work, model }, signal, onProgress);
  const kept = await keepResult(blobs, prefix, job, product, signal);
  return { ...kept, metadata: metadataOf(request, job, product, description) };
}
