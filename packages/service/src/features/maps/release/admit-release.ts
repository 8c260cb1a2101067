import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ReleaseRequest } from "@swath/contract/features/maps/release-contract";
import type { Caller } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { ReleaseQuote } from "../../credits/release-quote.ts";
import type { CreditsService } from "../../credits/service.ts";
import { catalogueScenes } from "../catalogue-scenes.ts";
import { releasedArea } from "../released-area.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import { payableMaps, type PayableMapsDeps } from "./payable-maps.ts";
import type { ReleasePlan } from "./release-plan.ts";

export interface AdmitReleaseDeps extends PayableMapsDeps {
  readonly imagery: Pick<SceneLookup, "seenBy">;
  readonly credits: Pick<CreditsService, "quoteRelease" | "requireAllocated">;
}

/**
 * Makes the scenes of a release known and refuses a release that is not paid for, before a transaction begins: overlays with paid areas can take seconds.
 *
 * @throws {ServiceError} NON-EXISTING-SCENE; CREDITS-ERROR unless the area of every scene is paid
 */
export async function admitRelease(
  { imagery, credits }: AdmitReleaseDeps,
  { typeIds, sceneIds, area }: ReleasePlan,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  const scenes = await catalogueScenes(imagery.seenBy(caller), sceneIds, signal);
  await credits.requireAllocated(caller, [...scenes.values()], area, { mapTypes: typeIds, signal });
}

/**
 * Makes the scenes of a release known and quotes the maps that can be made of them.
 *
 * @throws {ServiceError} NON-EXISTING-SCENE; PRICE-CHANGED; the first reason when no map can be made
 */
export async function quotePaidRelease(
  deps: AdmitReleaseDeps,
  plan: ReleasePlan,
  { extent, expectedCost }: Pick<ReleaseRequest, "expectedCost" | "extent">,
  caller: Caller,
  signal: AbortSignal,
): Promise<ReleaseQuote> {
  const seen = deps.imagery.seenBy(caller);
  const known = await catalogueScenes(seen, plan.sceneIds, signal);
  const scenes = await payableMaps(deps, plan, known.values(), seen, signal);
  return await deps.credits.quoteRelease({ caller, scenes, extent, known: { area: plan.area, signal }, expectedCost });
}

/** The smaller area of a request. @throws {ServiceError} VALIDATION-ERROR, EXTENT-HAS-NO-INTERSECTION */
export async function requestedSubArea(
  areas: Pick<Areas, "intersection" | "read">,
  subGeometry: GeoJson,
  area: MultiPolygon,
  signal: AbortSignal,
): Promise<MultiPolygon> {
  const sub = await releasedArea(areas, subGeometry, { path: "/subGeometry", sceneIds: [] }, signal);
  if ((await areas.intersection(sub, area, signal)).coordinates.length === 0) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", "the subGeometry does not intersect the extent");
  }
  return sub;
}
