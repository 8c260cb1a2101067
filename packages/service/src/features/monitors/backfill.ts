import type {
  BackfillPeriod,
  BackfillPlan,
  BackfillRequest,
} from "@swath/contract/features/monitors/backfill-contract";
import { creditsToMicro, microToCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Caller, PipelineHandler, PipelineJob, Trx } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";
import { readCriteria } from "../standing-queries/stored-criteria.ts";
import { planBackfill, type PlannedBackfill, type PricedScene } from "./backfill-plan.ts";
import * as backfills from "./backfill-store.ts";
import { isPassing } from "./failure.ts";
import { missingRight } from "./missing-right.ts";
import { monthOf } from "./month-of.ts";
import * as store from "./monitor-store.ts";
import { pastScenes, type PastScene } from "./past-scenes.ts";
import { statisticsContext, statisticsRequest } from "./scene-statistics.ts";
import type { StartDeps } from "./start-scene.ts";
import { unknownMonitor } from "./unknown-monitor.ts";

export interface BackfillDeps extends Pick<StartDeps, "clock" | "db" | "mapTypes" | "maps"> {
  readonly imagery: Pick<ImageryService, "search">;
}

type Monitor = store.ShownRow & { readonly areas: string };

/** Prices the past scenes of a monitor, and takes nothing. */
export function createBackfillDryRun(deps: BackfillDeps): PipelineHandler<BackfillPeriod, BackfillPlan> {
  return {
    prepare: ({ monitorId }, { caller }) => readOwn(deps, caller, monitorId),
    run: async (request, job) => ({ result: (await planned(deps, request, job)).plan }),
  };
}

/** Takes the past scenes of a monitor at an expected price, or nothing. */
export function createBackfill(deps: BackfillDeps): PipelineHandler<BackfillRequest, BackfillPlan> {
  return {
    prepare: ({ monitorId }, { caller }) => readOwn(deps, caller, monitorId),
    async run(request, job) {
      const { priced, ...found } = await planned(deps, request, job);
      requirePrice(found, request);
      return {
        result: found.plan,
        commit: (trx) => take(deps, trx, { request, priced, knownCount: found.plan.knownCount, caller: job.caller }),
      };
    },
  };
}

async function planned(
  deps: BackfillDeps,
  request: BackfillPeriod,
  { baseUrl, caller, report, signal }: PipelineJob,
): Promise<PlannedBackfill & { readonly priced: readonly PricedScene[] }> {
  const monitor = await readOwn(deps, caller, request.monitorId);
  requireRights(caller, monitor);
  await report({ message: "Preparing analysis", step: 1 });
  const found = await pastScenes(deps.imagery, monitor, request, caller, signal);
  const known = await backfills.knownScenes(deps.db, monitor.id, found);
  const wanted = found.filter(({ sceneId }) => !known.has(sceneId));
  await report({ message: "Analyzing", step: 2 });
  const priced: PricedScene[] = [];
  for (const scene of wanted) {
    signal.throwIfAborted();
    priced.push(await priceOf(deps, monitor, scene, { baseUrl, caller, signal }));
  }
  const month = monthOf(deps.clock.now());
  const leftMicro = backfills.leftOf(monitor);
  return { priced, ...planBackfill(priced, { month, leftMicro }, found.length - wanted.length) };
}

async function priceOf(
  { mapTypes, maps }: BackfillDeps,
  monitor: Monitor,
  scene: PastScene,
  { baseUrl, caller, signal }: Pick<PipelineJob, "baseUrl" | "caller" | "signal">,
): Promise<PricedScene> {
  const missing = missingRight(mapTypes, caller, monitor, scene.sceneId);
  if (missing !== null) throw lacking(missing);
  try {
    const context = statisticsContext(caller, baseUrl, signal);
    const prepared = await maps.statistics.prepare?.(statisticsRequest(monitor, scene.sceneId), context);
    if (prepared === undefined) throw new Error("statistics have no price");
    return { ...scene, micro: prepared.quote?.micro ?? 0n, fault: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || isPassing(error.code)) throw error;
    return { ...scene, micro: 0n, fault: error.message };
  }
}

interface Taking {
  readonly request: BackfillRequest;
  readonly priced: readonly PricedScene[];
  readonly knownCount: number;
  readonly caller: Caller;
}

/** Under the lock of the monitor: budget and scenes of this moment decide, and nobody else takes the same scenes. */
async function take(
  { clock }: BackfillDeps,
  trx: Trx,
  { caller, knownCount, priced, request }: Taking,
): Promise<BackfillPlan> {
  const { monitorId } = request;
  if ((await store.lockMonitor(trx, caller.userId, monitorId)) === null) throw unknownMonitor(monitorId);
  const at = clock.now();
  const month = monthOf(at);
  const monitor = await store.readMonitor(trx, { id: monitorId, month, ownerId: caller.userId });
  if (monitor === null) throw unknownMonitor(monitorId);
  const found = planBackfill(priced, { month, leftMicro: backfills.leftOf(monitor) }, knownCount);
  requirePrice(found, request);
  const inserted = await backfills.insertPastScenes(trx, monitorId, found.taken, at);
  if (inserted !== found.taken.length) {
    throw new ServiceError("CONFLICT", `the monitor has ${found.taken.length - inserted} of the scenes already`);
  }
  return found.plan;
}

/** @throws {ServiceError} CONFLICT at another price */
function requirePrice({ priceMicro }: PlannedBackfill, { expectedCredits }: BackfillRequest): void {
  if (priceMicro === creditsToMicro(expectedCredits)) return;
  const price = `the backfill costs ${microToCredits(priceMicro)} credits, expected ${expectedCredits}`;
  throw new ServiceError("CONFLICT", `${price}; /monitor/backfill/dry-run answers the price of now`);
}

async function readOwn({ clock, db }: BackfillDeps, { userId }: Caller, id: string): Promise<Monitor> {
  const monitor = await store.readMonitor(db, { id, month: monthOf(clock.now()), ownerId: userId });
  if (monitor === null) throw unknownMonitor(id);
  return monitor;
}

/** The rights that a scene of a search needs to be taken. @throws {ServiceError} NOT-AUTHORIZED */
function requireRights({ permissions }: Caller, { criteria }: Monitor): void {
  const { datasets, onlyIngested } = readCriteria(criteria).conditions;
  const required = [
    ...datasets.map(({ dataset, provider }) => `imagery.images.${provider}.${dataset}`),
    ...(onlyIngested === true ? ["store.ingested"] : []),
  ];
  const missing = required.find((one) => !isGranted(permissions, one));
  if (missing !== undefined) throw lacking(missing);
}

function lacking(permission: string): ServiceError {
  return new ServiceError("NOT-AUTHORIZED", `permission ${permission} is required`);
}
