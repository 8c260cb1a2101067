import { ServiceError } from "@swath/kernel/errors/service-error";
import { mosaicOrder } from "@swath/kernel/raster-mathematics/mosaic";
import { DEFAULT_MOSAIC_SCENES, type MosaicChoice } from "@swath/contract/features/maps/mosaic-contract";
import type { LeftOutScene } from "@swath/contract/features/maps/statistics-contract";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import type { Caller } from "../../../platform/context.ts";
import { faultOf, refuseWithoutDatasets, searchPeriod, type PeriodScenesDeps } from "../statistics/period-scenes.ts";
import { refuse } from "../statistics/refuse.ts";

/** The scenes of a mosaic in the order of choice, and those that the search left out. */
export interface MosaicScenes {
  readonly sceneIds: readonly string[];
  readonly leftOut: readonly LeftOutScene[];
}

/** @throws {ServiceError} VALIDATION-ERROR for members that exclude or need `datasets` */
export function requireSearchMembers(request: MosaicChoice): void {
  const { datasets, sceneIds } = request;
  if (datasets !== undefined) {
    if (sceneIds !== undefined) refuse("/datasets", "excludes sceneIds");
    return;
  }
  if (sceneIds === undefined) refuse("/sceneIds", "is required unless datasets is given");
  refuseWithoutDatasets(request);
}

/**
 * The scenes of a list, or of a search.
 *
 * @throws {ServiceError} EXTENT-HAS-NO-INTERSECTION when the search finds none; as `searchPeriod`
 */
export async function mosaicScenes(
  deps: PeriodScenesDeps,
  request: MosaicChoice,
  caller: Caller,
  signal: AbortSignal,
): Promise<MosaicScenes> {
  const { datasets, sceneIds, extent, rule, limit = DEFAULT_MOSAIC_SCENES } = request;
  if (datasets === undefined) return { sceneIds: [...new Set(sceneIds)], leftOut: [] };
  const { minIntersection = 0, startDatetime, endDatetime } = request;
  const conditions = {
    ...(startDatetime === undefined ? {} : { startDatetime }),
    ...(endDatetime === undefined ? {} : { endDatetime }),
  };
  const search = { datasets, extent, minIntersection, limit: MAX_SCENES, ...conditions };
  const found = await searchPeriod(deps, search, caller, signal);
  const kept: string[] = [];
  const leftOut: LeftOutScene[] = [];
  for (const scene of mosaicOrder(rule === "least-cloudy" ? rule : "newest", found)) {
    const fault = faultOf(scene, request) ?? (kept.length < limit ? null : beyond(limit));
    if (fault === null) kept.push(scene.sceneId);
    else leftOut.push({ sceneId: scene.sceneId, datetime: scene.datetime, ...fault });
  }
  if (kept.length === 0) {
    const message = `the search found ${found.length} scenes, of which none meets the conditions`;
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", message);
  }
  return { sceneIds: kept, leftOut };
}

function beyond(limit: number): Pick<LeftOutScene, "message" | "reason"> {
  return { reason: "LIMIT", message: `beyond the ${limit} scenes that limit takes` };
}
