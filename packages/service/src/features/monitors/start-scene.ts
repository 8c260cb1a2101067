import type { Clock } from "@swath/base/clock";
import { mapsContract } from "@swath/contract/features/maps/contract";
import { microToCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { Db, Trx } from "../../platform/context.ts";
import { callersOfUsers } from "../../platform/identity/callers-of-users.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { newPipelineId } from "../../platform/queue/pipeline-id.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { heldPermissions } from "../../providers/held-permissions.ts";
import type { MapsService } from "../maps/service.ts";
import type { StandingQueriesService } from "../standing-queries/service.ts";
import { isPassing, nextTryAt, skipReasonOf } from "./failure.ts";
import { missingRight } from "./missing-right.ts";
import { monthOf } from "./month-of.ts";
import { statisticsContext, statisticsRequest } from "./scene-statistics.ts";
import * as store from "./scene-store.ts";
import { skipScene } from "./skip-scene.ts";
import { stopMonitor } from "./stop-monitor.ts";

export interface StartDeps {
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider">;
  readonly clock: Clock;
  readonly db: Db;
  readonly mapTypes: MapTypes;
  readonly maps: Pick<MapsService, "statistics">;
  readonly queue: Pick<PipelineService, "enqueue">;
  readonly standing: Pick<StandingQueriesService, "changeForMonitor">;
}

/**
 * Prices a claimed scene with the rights of the owner now, and starts its statistics. The reservation of the month, the
 * hold of the credit and the pipeline are written in one transaction.
 */
export async function startScene(deps: StartDeps, claim: store.ClaimedScene, signal: AbortSignal): Promise<void> {
  try {
    await tryToStart(deps, claim, signal);
  } catch (error) {
    signal.throwIfAborted();
    await recordFailure(deps, claim, error);
  }
}

async function tryToStart(deps: StartDeps, claim: store.ClaimedScene, signal: AbortSignal): Promise<void> {
  const work = await store.readWork(deps.db, claim.monitorId);
  if (work === null) return;
  const callers = await callersOfUsers(deps.db, [work.owner_id], (held) => heldPermissions(deps.catalog, held));
  const caller = callers.get(work.owner_id);
  const missing = caller === undefined ? null : missingRight(deps.mapTypes, caller, work, claim.sceneId);
  if (caller === undefined || missing !== null) {
    await stopForRights(deps, claim, work, missing === null ? "the owner is blocked" : `the owner lacks ${missing}`);
    return;
  }
  const request = statisticsRequest(work, claim.sceneId);
  const pipelineId = newPipelineId();
  const context = { ...statisticsContext(caller, work.base_url, signal), pipelineId };
  const { statistics } = deps.maps;
  const prepared = await statistics.prepare?.(request, context);
  if (prepared === undefined) throw new Error("statistics have no price");
  const at = deps.clock.now();
  const [micro, month] = [prepared.quote?.micro ?? 0n, monthOf(at)];
  await inTransaction(deps.db, async (trx) => {
    const open = await store.lockClaim(trx, claim);
    if (open === null) return;
    const { monitorId } = claim;
    if (open.acceptedMicro !== null && micro > BigInt(open.acceptedMicro)) {
      const accepted = microToCredits(BigInt(open.acceptedMicro));
      const message = `the scene costs ${microToCredits(micro)} credits, ${accepted} were accepted`;
      await skipScene(trx, open.monitor, claim, { skipReason: "PRICE", message, chargedMicro: 0n, at });
      return;
    }
    const refused = await store.reserve(trx, { monitorId, month, micro, budgetMicro: open.monitor.budget_micro });
    if (refused !== null) {
      const cost = `the scene costs ${microToCredits(micro)} credits`;
      const left = microToCredits(BigInt(Math.max(0, refused.leftMicro)));
      const message = `${cost} and ${left} are left in ${month}`;
      await skipScene(trx, open.monitor, claim, { skipReason: "BUDGET", message, chargedMicro: 0n, at });
      return;
    }
    // The budget has counted this price: at another one the scene starts again with a new quote.
    const quote = prepared.quote === null ? null : { ...prepared.quote, expectedCost: microToCredits(micro) };
    await statistics.admit?.(request, context, trx, { ...prepared, quote });
    const { lane, path: kind } = mapsContract.statistics;
    const kept = statistics.kept?.(request, prepared) ?? request;
    await deps.queue.enqueue(trx, { id: pipelineId, kind, lane, request: kept, caller, baseUrl: work.base_url });
    await store.startScene(trx, claim, { pipelineId, month, micro });
  });
}

/** Ends a claimed scene without a result, unless the claim has ended; `then` runs in the same transaction. */
async function endClaim(
  { clock, db }: Pick<StartDeps, "clock" | "db">,
  claim: store.ClaimedScene,
  { message, skipReason }: { readonly message: string; readonly skipReason: store.SkipReason },
  then?: (trx: Trx, at: Date) => Promise<void>,
): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    const open = await store.lockClaim(trx, claim);
    if (open === null) return;
    await skipScene(trx, open.monitor, claim, { skipReason, message, chargedMicro: 0n, at });
    await then?.(trx, at);
  });
}

async function stopForRights(
  deps: StartDeps,
  claim: store.ClaimedScene,
  work: store.WorkRow,
  reason: string,
): Promise<void> {
  await endClaim(deps, claim, { skipReason: "RIGHTS", message: reason }, async (trx, at) => {
    await stopMonitor(deps.standing, trx, work, { at, reason });
  });
}

async function recordFailure(deps: StartDeps, claim: store.ClaimedScene, error: unknown): Promise<void> {
  const code = error instanceof ServiceError ? error.code : "UNEXPECTED";
  // Faults inside the service are nothing for owners.
  const message = error instanceof ServiceError ? error.message : "the service failed";
  const dueAt = isPassing(code) ? nextTryAt(claim.tries, deps.clock.now()) : null;
  if (dueAt !== null) await store.postpone(deps.db, claim, { dueAt, message });
  else await endClaim(deps, claim, { skipReason: skipReasonOf(code), message });
}
