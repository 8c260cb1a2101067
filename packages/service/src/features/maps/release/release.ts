import type { MapTypes } from "@swath/maps/registry";
import type { PipelineHandler, RequestContext } from "../../../platform/context.ts";
import type {
  LegacyReleaseRequest,
  LegacyReleaseResult,
  ReleaseRequest,
  ReleaseResult,
} from "@swath/contract/features/maps/release-contract";
import { catalogueScenes } from "../catalogue-scenes.ts";
import { admitRelease, keepSubGeometry, type AdmitReleaseDeps } from "./admit-release.ts";
import { makeMaps, type MakeMapsDeps } from "./make-maps.ts";
import { planRelease, type ReleasePlan } from "./release-plan.ts";
import { firstMap } from "./release-result.ts";

export type ReleaseDeps = AdmitReleaseDeps & MakeMapsDeps & { readonly mapTypes: Pick<MapTypes, "find" | "faultOf"> };

export interface ReleaseHandlers {
  readonly release: PipelineHandler<ReleaseRequest, ReleaseResult, ReleasePlan>;
  /** Release of one map type of one scene. */
  readonly legacyRelease: PipelineHandler<LegacyReleaseRequest, LegacyReleaseResult, ReleasePlan>;
}

export function createRelease(deps: ReleaseDeps): ReleaseHandlers {
  return {
    release: {
      prepare: (request, context) => prepareRelease(deps, request, context),
      async admit({ subGeometry }, { caller }, transaction, plan) {
        await admitRelease(deps, plan, caller, transaction);
        if (subGeometry === undefined) return undefined;
        return { subGeometryId: await keepSubGeometry(subGeometry, plan.area, transaction) };
      },
      async run(request, job) {
        const result = await makeMaps(deps, planRelease(deps.mapTypes, request), job);
        return { result: request.mapTypes === undefined ? { ...result, ...firstMap(result) } : result };
      },
    },
    legacyRelease: {
      prepare: (request, context) => prepareRelease(deps, currentForm(request), context),
      async admit(_request, { caller }, transaction, plan) {
        await admitRelease(deps, plan, caller, transaction);
        return undefined;
      },
      async run(request, job) {
        return { result: firstMap(await makeMaps(deps, planRelease(deps.mapTypes, currentForm(request)), job)) };
      },
    },
  };
}

/** Plans a release and makes its scenes known, before a transaction begins. */
async function prepareRelease(
  { imagery, mapTypes }: ReleaseDeps,
  request: ReleaseRequest,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<ReleasePlan> {
  const plan = planRelease(mapTypes, request);
  await catalogueScenes(imagery.seenBy(caller), plan.sceneIds, signal);
  return plan;
}

function currentForm({ mapType, sceneId, extent }: LegacyReleaseRequest): ReleaseRequest {
  return { mapType, sceneIds: [sceneId], extent };
}
