import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { PipelineHandler, PipelineJob, PipelineOutcome, RequestContext } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type {
  LegacyReleaseRequest,
  LegacyReleaseResult,
  ReleaseRequest,
  ReleaseResult,
} from "@swath/contract/features/maps/release-contract";
import type { ReleaseQuote } from "../../credits/release-quote.ts";
import type { CreditsService } from "../../credits/service.ts";
import { geometryIdOf } from "../map-identity.ts";
import * as store from "../store.ts";
import { admitRelease, quotePaidRelease, requestedSubArea, type AdmitReleaseDeps } from "./admit-release.ts";
import { makeMaps, type MakeMapsDeps } from "./make-maps.ts";
import { paidRelease, type PaidReleaseDeps } from "./paid-release.ts";
import { partialResult } from "./partial-result.ts";
import { planRelease, type PlanReleaseDeps } from "./release-plan.ts";
import { recordReleased } from "./released-event.ts";
import { firstMap, releaseResult } from "./release-result.ts";
import { wholeJob } from "./whole-job.ts";

export type ReleaseDeps = AdmitReleaseDeps &
  MakeMapsDeps &
  PaidReleaseDeps &
  PlanReleaseDeps & {
    readonly areas: Pick<Areas, "intersection" | "read">;
    readonly credits: Pick<CreditsService, "holdRelease">;
  };

interface PreparedRelease {
  /** The smaller area of a release; null when the request has none. */
  readonly subArea: MultiPolygon | null;
  /** The highest cost of a release that pays for its maps; null when it must be paid already. */
  readonly quote: ReleaseQuote | null;
}

export interface ReleaseHandlers {
  readonly release: PipelineHandler<ReleaseRequest, ReleaseResult, PreparedRelease>;
  /** Release of one map type of one scene. */
  readonly legacyRelease: PipelineHandler<LegacyReleaseRequest, LegacyReleaseResult, PreparedRelease>;
}

export function createRelease(deps: ReleaseDeps): ReleaseHandlers {
  return {
    release: {
      prepare: (request, context) => prepareRelease(deps, request, context),
      async admit(_request, { caller, pipelineId }, transaction, { subArea, quote }) {
        if (quote !== null) await deps.credits.holdRelease(transaction, caller, pipelineId, quote);
        if (subArea === null) return undefined;
        // Grid files can name it from the initiate answer on.
        const subGeometryId = geometryIdOf(subArea);
        await store.insertGeometry(transaction, subGeometryId, subArea);
        return { subGeometryId };
      },
      run: (request, job) => runRelease(deps, request, job),
    },
    legacyRelease: {
      prepare: (request, context) => prepareRelease(deps, currentForm(request), context),
      async run(request, job) {
        const { result } = await runRelease(deps, currentForm(request), wholeJob(job));
        return { result: firstMap(result), commit: (trx) => recordReleased(trx, job, result) };
      },
    },
  };
}

/** Plans a release, makes its scenes known and refuses what is not, or cannot be, paid for. */
async function prepareRelease(
  deps: ReleaseDeps,
  request: ReleaseRequest,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<PreparedRelease> {
  const plan = await planRelease(deps, request, signal);
  const { expectedCost, subGeometry } = request;
  const isPaid = request.allocate === true;
  if (expectedCost !== undefined && !isPaid) throw paysNothing(expectedCost);
  const quote = isPaid ? await quotePaidRelease(deps, plan, request, caller, signal) : null;
  if (!isPaid) await admitRelease(deps, plan, caller, signal);
  const subArea = subGeometry === undefined ? null : await requestedSubArea(deps.areas, subGeometry, plan.area, signal);
  return { subArea, quote };
}

/** Without `allocate` a release charges nothing: a stated price shows that the caller means to pay. */
export function paysNothing(expectedCost: number): ServiceError {
  const message = `expected allocate: true with a price, got the price ${expectedCost} without it`;
  return new ServiceError("VALIDATION-ERROR", `/expectedCost ${message}`, {
    details: [{ path: "/expectedCost", message }],
  });
}

async function runRelease(
  deps: ReleaseDeps,
  request: ReleaseRequest,
  job: PipelineJob,
): Promise<PipelineOutcome<ReleaseResult>> {
  const plan = await planRelease(deps, request, job.signal);
  const { typeIds } = plan;
  const flat = (result: ReleaseResult): ReleaseResult =>
    request.mapTypes === undefined ? { ...result, ...firstMap(result) } : result;
  if (request.allocate === true) {
    // Maps are shown when they are paid: with the result.
    const made = await makeMaps(deps, plan, job, () => Promise.resolve());
    return await paidRelease(deps, request, plan, made, job, flat);
  }
  const partial = partialResult((result: ReleaseResult) => job.savePartial(result), deps.clock);
  const made = await makeMaps(deps, plan, job, (outcomes) => partial.save(() => releaseResult(typeIds, outcomes)));
  const result = flat(releaseResult(typeIds, made.outcomes));
  return { result, commit: (trx) => recordReleased(trx, job, result) };
}

function currentForm({ mapType, sceneId, extent }: LegacyReleaseRequest): ReleaseRequest {
  return { mapType, sceneIds: [sceneId], extent };
}
