import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SearchRequest, SearchResult } from "@swath/contract/features/imagery/contract";
import { MEMBERS_WITH_DATASETS } from "@swath/contract/features/maps/scene-conditions";
import {
  DEFAULT_PERIOD_SCENES,
  type LeftOutScene,
  type StatisticsRequest,
} from "@swath/contract/features/maps/statistics-contract";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import type { Caller } from "../../../platform/context.ts";
import type { ImageryService } from "../../imagery/service.ts";
import { refuse } from "./refuse.ts";

/** A request after the search of its period. */
export interface KeptStatistics extends StatisticsRequest {
  readonly leftOut?: readonly LeftOutScene[];
}

export interface PeriodScenesDeps {
  readonly imagery: Pick<ImageryService, "search">;
}

export type FoundScene = SearchResult["results"][number];

/** @throws {ServiceError} VALIDATION-ERROR for a condition of scenes that needs `datasets` */
export function refuseWithoutDatasets(
  request: Readonly<Partial<Record<(typeof MEMBERS_WITH_DATASETS)[number], unknown>>>,
): void {
  const stray = MEMBERS_WITH_DATASETS.find((name) => request[name] !== undefined);
  if (stray !== undefined) refuse(`/${stray}`, "needs datasets");
}

/** @throws {ServiceError} VALIDATION-ERROR for members that exclude or need `datasets` */
export function requirePeriodMembers(request: StatisticsRequest): void {
  const { datasets, mapIds, sceneIds } = request;
  if (datasets === undefined) {
    refuseWithoutDatasets(request);
  } else {
    if (sceneIds !== undefined) refuse("/datasets", "excludes sceneIds");
    if (mapIds !== undefined) refuse("/mapIds", "excludes datasets");
  }
}

/**
 * The request with the scenes of its period, in ascending time, instead of their conditions. A request without
 * `datasets` stays as it is.
 *
 * @throws {ServiceError} VALIDATION-ERROR; as `ImageryService.search`; SERVICE-UNAVAILABLE when a source does not answer
 */
export async function withPeriodScenes(
  { imagery }: PeriodScenesDeps,
  request: StatisticsRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<KeptStatistics> {
  const { datasets, startDatetime, endDatetime, minIntersection = 0, limit: _limit, ...others } = request;
  // A member of this name is not of the contract.
  if (datasets === undefined) return { ...request, leftOut: [] };
  const search = {
    datasets,
    extent: request.areas,
    minIntersection,
    limit: MAX_SCENES,
    ...(startDatetime === undefined ? {} : { startDatetime }),
    ...(endDatetime === undefined ? {} : { endDatetime }),
  };
  const results = await searchPeriod({ imagery }, search, caller, signal);
  const { kept, leftOut } = chosen(results, request);
  const { maxCloudCover: _cloudCover, maxOffNadir: _offNadir, ...plain } = others;
  return { ...plain, sceneIds: kept.map(({ sceneId }) => sceneId), leftOut };
}

/**
 * Every scene of a search, newest first.
 *
 * @throws {ServiceError} as `ImageryService.search`; SERVICE-UNAVAILABLE when a source does not answer; VALIDATION-ERROR
 * when there are more than one page
 */
export async function searchPeriod(
  { imagery }: PeriodScenesDeps,
  search: SearchRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly FoundScene[]> {
  const { results, cursor, failedDatasets = [] } = await imagery.search(search, signal, caller);
  const [failed] = failedDatasets;
  if (failed !== undefined) {
    const message = `the scenes of ${failed.provider}/${failed.dataset} are unknown: ${failed.errorMessage}`;
    throw new ServiceError("SERVICE-UNAVAILABLE", message);
  }
  if (cursor !== null) refuse("/endDatetime", `ends a period of more than ${MAX_SCENES} scenes: take a shorter one`);
  return results;
}

/** @param newestFirst scenes of the period */
function chosen(
  newestFirst: readonly FoundScene[],
  request: StatisticsRequest,
): { readonly kept: readonly FoundScene[]; readonly leftOut: readonly LeftOutScene[] } {
  const { limit = DEFAULT_PERIOD_SCENES } = request;
  const kept: FoundScene[] = [];
  const leftOut: LeftOutScene[] = [];
  for (const scene of newestFirst) {
    const fault = faultOf(scene, request) ?? (kept.length < limit ? null : beyond(limit));
    if (fault === null) kept.push(scene);
    else leftOut.push({ sceneId: scene.sceneId, datetime: scene.datetime, ...fault });
  }
  return { kept: kept.toReversed(), leftOut: leftOut.toReversed() };
}

type Fault = Pick<LeftOutScene, "message" | "reason">;

/** The condition that a scene does not meet; null when it meets both. */
export function faultOf(
  { cloudCover, offNadir }: FoundScene,
  { maxCloudCover, maxOffNadir }: Pick<StatisticsRequest, "maxCloudCover" | "maxOffNadir">,
): Fault | null {
  if (maxCloudCover !== undefined && cloudCover !== undefined && cloudCover > maxCloudCover) {
    const message = `${percent(cloudCover)} of the scene are under cloud, expected at most ${percent(maxCloudCover)}`;
    return { reason: "CLOUD-COVER", message };
  }
  if (maxOffNadir !== undefined && offNadir !== undefined && Math.abs(offNadir) > maxOffNadir) {
    const message = `the off-nadir angle is ${offNadir} degrees, expected at most ${maxOffNadir}`;
    return { reason: "OFF-NADIR", message };
  }
  return null;
}

function beyond(limit: number): Fault {
  return { reason: "LIMIT", message: `older than the ${limit} newest scenes that limit takes` };
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
