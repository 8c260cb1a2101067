import { randomUUID } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { produceResult, type ComputeResultDeps } from "./compute-result.ts";
import { ownerPrefix, removeBlobs } from "./result-blobs.ts";
import { planJob, type ResultRequest } from "./result-plan.ts";
import type { ResultRow } from "./result-store.ts";

const RESULT_ID = "reproduced";

/** Computes a result beside the kept one. Its blobs are gone when `use` has ended. */
export async function recomputeResult<Used>(
  deps: ComputeResultDeps,
  request: ResultRequest,
  signal: AbortSignal,
  use: (result: ResultRow) => Promise<Used>,
): Promise<Used> {
  const { blobs, folders } = deps;
  const planned = planJob(request, (key) => blobs.localPath(key));
  if (planned.kind === "refused") throw new ServiceError(planned.errorCode, planned.errorMessage);
  const owner = randomUUID();
  const prefix = ownerPrefix(RESULT_ID, owner);
  const folder = await folders.create(owner.replaceAll("-", ""), 1);
  try {
    using guard = folders.guard(folder, signal);
    const made = await produceResult(deps, { request, job: planned.job, folder, prefix }, guard.signal);
    return await use({ resultId: RESULT_ID, ...made });
  } finally {
    await folders.remove(folder);
    await removeBlobs(blobs, prefix);
  }
}
