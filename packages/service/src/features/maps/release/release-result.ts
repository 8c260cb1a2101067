import { isErrorCode, type ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type {
  FailedMap,
  LegacyReleaseResult,
  ReleaseResult,
  SucceededMap,
} from "@swath/contract/features/maps/release-contract";

export type MapOutcome = SucceededMap | FailedMap;

export function failedMap(
  { id }: MapTypeDescriptor,
  sceneId: string,
  errorCode: ErrorCode,
  errorMessage: string,
): FailedMap {
  return { mapType: id, sceneId, status: "failed", errorCode, errorMessage };
}

/** How many maps there are and failed, `maps` and `failed`, and both by map type. */
export function releaseResult(typeIds: readonly string[], outcomes: readonly MapOutcome[]): ReleaseResult {
  const maps = outcomes.filter((outcome) => outcome.status === "succeeded");
  const failed = outcomes.filter((outcome) => outcome.status === "failed");
  return {
    counts: { succeeded: maps.length, failed: failed.length },
    ...Object.fromEntries(typeIds.map((id) => [id, outcomes.filter(({ mapType }) => mapType === id)])),
    maps,
    failed,
  };
}

/** The first map, for the forms without a list of failures. @throws {ServiceError} the first failure */
export function firstMap(result: ReleaseResult): LegacyReleaseResult {
  const [first] = result.maps;
  if (first !== undefined) return { mapId: first.mapId, maxZoom: first.maxZoom, tiles: first.tiles };
  const [refusal] = result.failed;
  const code = refusal?.errorCode ?? "ZERO-TILES-AVAILABLE";
  throw new ServiceError(isErrorCode(code) ? code : "PROCESSING-ERROR", refusal?.errorMessage ?? "no map was made");
}
