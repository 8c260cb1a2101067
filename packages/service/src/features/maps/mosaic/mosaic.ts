import type {
  MosaicChoice,
  MosaicPrice,
  MosaicRequest,
  MosaicResult,
} from "@swath/contract/features/maps/mosaic-contract";
import type { LeftOutScene } from "@swath/contract/features/maps/statistics-contract";
import type { PipelineHandler, PipelineJob, PipelineOutcome, RequestContext } from "../../../platform/context.ts";
import type { ReleaseQuote } from "../../credits/release-quote.ts";
import type { CreditsService } from "../../credits/service.ts";
import { dryRun, type DryRunDeps } from "../dry-run/dry-run.ts";
import { admitRelease, quotePaidRelease, type AdmitReleaseDeps } from "../release/admit-release.ts";
import type { MadeMaps } from "../release/make-maps.ts";
import { paidScenes } from "../release/paid-release.ts";
import { paysNothing } from "../release/release.ts";
import { recordReleased } from "../release/released-event.ts";
import type { PeriodScenesDeps } from "../statistics/period-scenes.ts";
import { madeMaps, type StatisticsMaps, type StatisticsMapsDeps } from "../statistics/statistics-maps.ts";
import { firstFailure, makeMosaic, type MakeMosaicDeps } from "./make-mosaic.ts";
import { mosaicScenes, requireSearchMembers } from "./mosaic-scenes.ts";
import { planMosaic, type PlanMosaicDeps } from "./plan-mosaic.ts";

export type MosaicDeps = AdmitReleaseDeps &
  DryRunDeps &
  MakeMosaicDeps &
  PeriodScenesDeps &
  PlanMosaicDeps &
  StatisticsMapsDeps & {
    readonly credits: Pick<CreditsService, "holdRelease" | "planCharge" | "settleRelease">;
  };

/** A request after its search. */
type Found<Request extends MosaicChoice> = Request & { readonly leftOut?: readonly LeftOutScene[] };

interface PreparedMosaic {
  readonly kept: Found<MosaicRequest>;
  /** The highest cost of a mosaic that pays for its scenes; null when they must be paid already. */
  readonly quote: ReleaseQuote | null;
}

export interface MosaicHandlers {
  readonly mosaic: PipelineHandler<MosaicRequest, MosaicResult, PreparedMosaic>;
  readonly mosaicDryRun: PipelineHandler<MosaicChoice, MosaicPrice, Found<MosaicChoice>>;
}

export function createMosaic(deps: MosaicDeps): MosaicHandlers {
  return {
    mosaic: {
      prepare: (request, context) => prepareMosaic(deps, request, context),
      kept: (_request, { kept }) => kept,
      async admit(_request, { caller, pipelineId }, transaction, { quote }) {
        if (quote !== null) await deps.credits.holdRelease(transaction, caller, pipelineId, quote);
        return undefined;
      },
      run: (request, job) => runMosaic(deps, request, job),
    },
    mosaicDryRun: {
      prepare: (request, context) => withScenes(deps, request, context),
      kept: (_request, found) => found,
      run: async (request, job) => ({ result: await priceOf(deps, request, job) }),
    },
  };
}

/** The request with the scenes of its search instead of their conditions. */
async function withScenes<Request extends MosaicChoice>(
  deps: PeriodScenesDeps & PlanMosaicDeps,
  request: Request,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<Found<Request>> {
  requireSearchMembers(request);
  // Faults are found before catalogues are searched.
  await planMosaic(deps, request, request.sceneIds ?? [], signal);
  const { sceneIds, leftOut } = await mosaicScenes(deps, request, caller, signal);
  return { ...request, sceneIds: [...sceneIds], leftOut };
}

/** Chooses the scenes of a mosaic and refuses what is not, or cannot be, paid for. */
async function prepareMosaic(
  deps: MosaicDeps,
  request: MosaicRequest,
  context: Pick<RequestContext, "caller" | "signal">,
): Promise<PreparedMosaic> {
  const { caller, signal } = context;
  if (request.expectedCost !== undefined && request.allocate !== true) throw paysNothing(request.expectedCost);
  const kept = await withScenes(deps, request, context);
  const plan = await planMosaic(deps, kept, kept.sceneIds ?? [], signal);
  if (kept.allocate === true) return { kept, quote: await quotePaidRelease(deps, plan, kept, caller, signal) };
  await admitRelease(deps, plan, caller, signal);
  return { kept, quote: null };
}

async function priceOf(deps: MosaicDeps, request: Found<MosaicChoice>, job: PipelineJob): Promise<MosaicPrice> {
  const { mapType, extent, sceneIds = [], leftOut = [] } = request;
  const run = { mapTypes: [mapType], scenes: sceneIds.map((sceneId) => [sceneId]) };
  return { ...(await dryRun(deps, { dryRuns: [run], extent }, job)), sceneIds, leftOut: [...leftOut] };
}

async function runMosaic(
  deps: MosaicDeps,
  request: Found<MosaicRequest>,
  job: PipelineJob,
): Promise<PipelineOutcome<MosaicResult>> {
  const { rule, extent, sceneIds = [], leftOut = [] } = request;
  const plan = await planMosaic(deps, request, sceneIds, job.signal);
  const found = await madeMaps(deps, plan, request, job);
  if (found.maps.length === 0) throw firstFailure(found.failed);
  const maps = inOrder(found, sceneIds);
  const { map, scenes, refused } = await makeMosaic(deps, plan, rule, { ...found, maps }, job.signal);
  const used = new Set(scenes.map(({ scene }) => scene.sceneId));
  const unmasked = found.unmasked.filter(({ sceneId }) => used.has(sceneId));
  const withoutMask = new Set(unmasked.map(({ sceneId }) => sceneId));
  const result: MosaicResult = {
    ...map,
    mapType: plan.mapType.id,
    rule,
    scenes: scenes.map(({ scene: { sceneId, datetime } }) => {
      const cloudsMasked = request.cloudFree !== false && !withoutMask.has(sceneId);
      return { sceneId, datetime, cloudsMasked };
    }),
    failed: [...found.failed, ...refused],
    leftOut: [...leftOut],
    unmasked,
  };
  const counted = { ...found.counted, outcomes: found.counted.outcomes.filter(({ sceneId }) => used.has(sceneId)) };
  const event = {
    maps: [{ ...map, mapType: plan.mapType.id, sceneId: scenes[0]!.scene.sceneId, status: "succeeded" as const }],
  };
  if (request.allocate !== true) return { result, commit: (trx) => recordReleased(trx, job, event) };
  const { caller, pipelineId, signal } = job;
  const known = { area: plan.area, signal };
  const charge = await deps.credits.planCharge(pipelineId, { caller, scenes: paidScenes(counted), extent, known });
  return {
    result,
    async commit(trx) {
      const { scenes: charged, ...sums } = await deps.credits.settleRelease(trx, charge);
      await recordReleased(trx, job, event);
      return { ...result, payment: { ...sums, scenes: [...charged] } };
    },
  };
}

/** The maps in the order of the scenes of the request; clipped pixels have another ID than their scene there. */
function inOrder(
  { maps, counted }: Pick<StatisticsMaps, "maps"> & { readonly counted: MadeMaps },
  sceneIds: readonly string[],
): StatisticsMaps["maps"] {
  const places = new Map<string, number>();
  for (const outcome of counted.outcomes) {
    const [requested = ""] = counted.scenesOf.get(outcome) ?? [];
    places.set(outcome.sceneId, sceneIds.indexOf(requested));
  }
  const place = (sceneId: string): number => places.get(sceneId) ?? sceneIds.length;
  return maps.toSorted((a, b) => place(a.map.sceneId) - place(b.map.sceneId));
}
