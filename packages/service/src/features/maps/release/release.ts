import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { PipelineHandler, RequestContext } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type {
  LegacyReleaseRequest,
  LegacyReleaseResult,
  ReleaseRequest,
  ReleaseResult,
} from "@swath/contract/features/maps/release-contract";
import { geometryIdOf } from "../map-identity.ts";
import * as store from "../store.ts";
import { admitRelease, requestedSubArea, type AdmitReleaseDeps } from "./admit-release.ts";
import { makeMaps, type MakeMapsDeps } from "./make-maps.ts";
import { planRelease, type PlanReleaseDeps } from "./release-plan.ts";
import { firstMap } from "./release-result.ts";

export type ReleaseDeps = AdmitReleaseDeps &
  MakeMapsDeps &
  PlanReleaseDeps & { readonly areas: Pick<Areas, "intersection" | "read"> };

/** The smaller area of a release; null when the request has none. */
interface PreparedRelease {
  readonly subArea: MultiPolygon | null;
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
      async admit(_request, _context, transaction, { subArea }) {
        if (subArea === null) return undefined;
        // Grid files can name it from the initiate answer on.
        const subGeometryId = geometryIdOf(subArea);
        await store.insertGeometry(transaction, subGeometryId, subArea);
        return { subGeometryId };
      },
      async run(request, job) {
        const result = await makeMaps(deps, await planRelease(deps, request, job.signal), job);
        return { result: request.mapTypes === undefined ? { ...result, ...firstMap(result) } : result };
      },
    },
    legacyRelease: {
      prepare: (request, context) => prepareRelease(deps, currentForm(request), context),
      async run(request, job) {
        const plan = await planRelease(deps, currentForm(request), job.signal);
        return { result: firstMap(await makeMaps(deps, plan, job)) };
      },
    },
  };
}

/** Plans a release, makes its scenes known and refuses what is not paid for. */
async function prepareRelease(
  deps: ReleaseDeps,
  request: ReleaseRequest,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<PreparedRelease> {
  const plan = await planRelease(deps, request, signal);
  await admitRelease(deps, plan, caller, signal);
  const { subGeometry } = request;
  const subArea = subGeometry === undefined ? null : await requestedSubArea(deps.areas, subGeometry, plan.area, signal);
  return { subArea };
}

function currentForm({ mapType, sceneId, extent }: LegacyReleaseRequest): ReleaseRequest {
  return { mapType, sceneIds: [sceneId], extent };
}
