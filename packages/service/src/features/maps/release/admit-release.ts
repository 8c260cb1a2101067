import { intersection } from "@swath/kernel/geometry/clip";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Trx } from "../../../platform/context.ts";
import type { CreditsService } from "../../credits/service.ts";
import { geometryIdOf } from "../map-identity.ts";
import { releasedArea } from "../released-area.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import * as store from "../store.ts";
import type { ReleasePlan } from "./release-plan.ts";

export interface AdmitReleaseDeps {
  readonly imagery: Pick<SceneLookup, "seenBy">;
  readonly credits: Pick<CreditsService, "requireAllocated">;
}

/** @throws {ServiceError} NON-EXISTING-SCENE; CREDITS-ERROR unless the area of every scene is paid */
export async function admitRelease(
  { imagery, credits }: AdmitReleaseDeps,
  { typeIds, sceneIds, area }: ReleasePlan,
  caller: Caller,
  transaction: Trx,
): Promise<void> {
  const seen = imagery.seenBy(caller);
  for (const sceneId of sceneIds) {
    const scene = await seen.known(sceneId, transaction);
    if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
    await credits.requireAllocated(caller, scene, area, transaction, typeIds);
  }
}

/**
 * Keeps the smaller area of a request, so that grid files can name it from the initiate answer on.
 *
 * @returns its id @throws {ServiceError} VALIDATION-ERROR, EXTENT-HAS-NO-INTERSECTION
 */
export async function keepSubGeometry(subGeometry: GeoJson, area: MultiPolygon, transaction: Trx): Promise<string> {
  const sub = releasedArea(subGeometry, "/subGeometry", []);
  if (intersection(sub, area).coordinates.length === 0) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", "the subGeometry does not intersect the extent");
  }
  const subGeometryId = geometryIdOf(sub);
  await store.insertGeometry(transaction, subGeometryId, sub);
  return subGeometryId;
}
