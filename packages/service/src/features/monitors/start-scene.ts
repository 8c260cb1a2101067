import { randomUUID } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import { mapsContract } from "@swath/contract/features/maps/contract";
import type { StatisticsRequest } from "@swath/contract/features/maps/statistics-contract";
import { microToCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { measureOf, type MonitorRule } from "@swath/kernel/monitors/rule";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { MapTypes } from "@swath/maps/registry";
import type { Caller, Db, RequestContext, Trx } from "../../platform/context.ts";
import { callersOfUsers } from "../../platform/identity/callers-of-users.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { newPipelineId } from "../../platform/queue/pipeline-id.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { heldPermissions } from "../../providers/held-permissions.ts";
import { releasePermissions } from "../maps/content-permissions.ts";
import type { MapsService } from "../maps/service.ts";
import type { StandingQueriesService } from "../standing-queries/service.ts";
import { isPassing, nextTryAt, skipReasonOf } from "./failure.ts";
import { monthOf } from "./month-of.ts";
import { updateMonitor } from "./monitor-store.ts";
import * as store from "./scene-store.ts";

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
    await stopMonitor(deps, claim, work, missing === null ? "the owner is blocked" : `the owner lacks ${missing}`);
    return;
  }
  const request = requestOf(work, claim.sceneId);
  const pipelineId = newPipelineId();
  const context = { ...contextOf(caller, work.base_url, signal), pipelineId };
  const { statistics } = deps.maps;
  const prepared = await statistics.prepare?.(request, context);
  if (prepared === undefined) throw new Error("statistics have no price");
  const at = deps.clock.now();
  const [micro, month] = [prepared.quote?.micro ?? 0n, monthOf(at)];
  await inTransaction(deps.db, async (trx) => {
    const open = await store.lockClaim(trx, claim);
    if (open === null) return;
    const { monitorId } = claim;
    const refused = await store.reserve(trx, { monitorId, month, micro, budgetMicro: open.budget_micro });
    if (refused !== null) {
      const cost = `the scene costs ${microToCredits(micro)} credits`;
      const left = microToCredits(BigInt(Math.max(0, refused.leftMicro)));
      await skip(trx, claim, "BUDGET", `${cost} and ${left} are left in ${month}`, at);
      return;
    }
    await statistics.admit?.(request, context, trx, prepared);
    const { lane, path: kind } = mapsContract.statistics;
    const kept = statistics.kept?.(request, prepared) ?? request;
    await deps.queue.enqueue(trx, { id: pipelineId, kind, lane, request: kept, caller, baseUrl: work.base_url });
    await store.startScene(trx, claim, { pipelineId, month, micro });
  });
}

function missingRight(
  mapTypes: MapTypes,
  { permissions }: Caller,
  { map_types, project }: store.WorkRow,
  sceneId: string,
): string | null {
  const required = [
    "imagery.monitors",
    "mapsvc.statistics",
    "credits.allocate-area",
    ...(project === null ? [] : ["datacube.write"]),
    ...releasePermissions(mapTypes, JSON.parse(map_types) as string[], [sceneId]),
  ];
  return required.find((one) => !isGranted(permissions, one)) ?? null;
}

function requestOf(work: store.WorkRow, sceneId: string): StatisticsRequest {
  const { percentile } = measureOf(JSON.parse(work.rule) as MonitorRule);
  return {
    areas: JSON.parse(work.areas) as GeoJson,
    mapTypes: JSON.parse(work.map_types) as string[],
    sceneIds: [sceneId],
    allocate: true,
    ...(percentile === undefined ? {} : { percentiles: [percentile] }),
    ...(work.project === null ? {} : { project: work.project }),
  };
}

function contextOf(caller: Caller, baseUrl: string, signal: AbortSignal): RequestContext {
  return { caller, baseUrl, signal, requestId: randomUUID(), beginWait: () => null };
}

async function skip(
  trx: Trx,
  claim: store.ClaimedScene,
  skipReason: store.SkipReason,
  message: string,
  at: Date,
): Promise<void> {
  const nothing = { chargedMicro: 0n, acquiredAt: null, ruleNumber: null, values: [], alertAreas: [] };
  await store.endScene(trx, claim, { status: "SKIPPED", skipReason, message, at, ...nothing });
}

async function stopMonitor(
  { clock, db, standing }: StartDeps,
  claim: store.ClaimedScene,
  { id, owner_id, query_id }: store.WorkRow,
  reason: string,
): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    if ((await store.lockClaim(trx, claim)) === null) return;
    await skip(trx, claim, "RIGHTS", reason, at);
    await updateMonitor(trx, { id, enabled: false, stop_reason: reason, updated_at: at });
    await standing.changeForMonitor(trx, owner_id, { id: query_id, enabled: false });
  });
}

async function recordFailure({ clock, db }: StartDeps, claim: store.ClaimedScene, error: unknown): Promise<void> {
  const at = clock.now();
  const code = error instanceof ServiceError ? error.code : "UNEXPECTED";
  // Faults inside the service are nothing for owners.
  const message = error instanceof ServiceError ? error.message : "the service failed";
  const dueAt = isPassing(code) ? nextTryAt(claim.tries, at) : null;
  if (dueAt !== null) await store.postpone(db, claim, { dueAt, message });
  else {
    await inTransaction(db, async (trx) => {
      if ((await store.lockClaim(trx, claim)) !== null) await skip(trx, claim, skipReasonOf(code), message, at);
    });
  }
}
