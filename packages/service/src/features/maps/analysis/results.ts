import { randomUUID } from "node:crypto";
import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { sleep } from "@swath/base/concurrency/sleep";
import { computeResult, type ComputeResultDeps, type OnProgress } from "./compute-result.ts";
import { recomputeResult } from "./recompute-result.ts";
import { LEASE_MS } from "./result-lease.ts";
import { planJob, resultIdOf, type RefusedResult, type ResultRequest } from "./result-plan.ts";
import * as store from "./result-store.ts";

export type ResultOutcome = { readonly kind: "ready"; readonly result: store.ResultRow } | RefusedResult;

/** Results of analyses: each is computed once for all callers and processes. */
export interface Results {
  /** @throws {ServiceError} when the pixels cannot be read; the signal's reason when it aborts */
  ensure(request: ResultRequest, signal: AbortSignal, onProgress?: OnProgress): Promise<ResultOutcome>;
  /** Why pixels in the store give no result, as far as a plan can tell; null when they may. */
  refusalOf(request: ResultRequest): RefusedResult | null;
  /**
   * Computes a result once more, beside the kept one.
   *
   * @param use reads the result, which is gone afterwards
   */
  recompute<Used>(
    request: ResultRequest,
    signal: AbortSignal,
    use: (result: store.ResultRow) => Promise<Used>,
  ): Promise<Used>;
  read(resultId: string): Promise<store.ResultRow | null>;
  /** Objects of a finished result. */
  objects(result: store.ResultRow): Promise<readonly PlacedObject[]>;
}

/** How often a caller looks for a result that another one computes. */
const POLL_MS = 250;
/** Lists of a hundred thousand objects have about this many bytes. */
const MAX_OBJECTS_BYTES = 128 * 1024 * 1024;

export function createResults(deps: ComputeResultDeps): Results {
  return {
    ensure: (request, signal, onProgress) => ensureResult(deps, request, signal, onProgress),
    refusalOf(request) {
      const planned = planJob(request, (key) => deps.blobs.localPath(key));
      return planned.kind === "refused" ? planned : null;
    },
    recompute: (request, signal, use) => recomputeResult(deps, request, signal, use),
    read: (resultId) => store.readResult(deps.db, resultId),
    objects: (result) => objectsOf(deps.blobs, result),
  };
}

async function ensureResult(
  deps: ComputeResultDeps,
  request: ResultRequest,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<ResultOutcome> {
  const { db, clock, blobs } = deps;
  const planned = planJob(request, (key) => blobs.localPath(key));
  if (planned.kind === "refused") return planned;
  const { job } = planned;
  const resultId = resultIdOf(request, job);
  const inputs: store.ResultInputs = {
    resultId,
    mapType: request.mapType.id,
    algoVersion: request.analysis.algoVersion,
    sceneIds: request.scenes.map(({ scene }) => scene.sceneId),
    parameters: job.parameters,
  };
  for (;;) {
    signal.throwIfAborted();
    const ready = await store.readResult(db, resultId);
    if (ready !== null) return { kind: "ready", result: ready };
    const owner = randomUUID();
    if (await store.claimResult(db, inputs, owner, LEASE_MS, clock.now())) {
      const result = await computeResult(deps, { resultId, owner, request, job }, signal, onProgress);
      if (result !== null) return { kind: "ready", result };
    } else {
      await sleep(POLL_MS, signal);
    }
  }
}

async function objectsOf(blobs: BlobStore, { objectsKey }: store.ResultRow): Promise<readonly PlacedObject[]> {
  if (objectsKey === null) return [];
  const bytes = await blobs.read(objectsKey, 0, MAX_OBJECTS_BYTES);
  return JSON.parse(new TextDecoder().decode(bytes)) as readonly PlacedObject[];
}

/** @throws {ServiceError} INVALID-MAP-ID when the result of a map is gone */
export function requireResult(result: store.ResultRow | null): store.ResultRow {
  if (result !== null) return result;
  throw new ServiceError("INVALID-MAP-ID", "the result of the map no longer exists: release it again");
}
