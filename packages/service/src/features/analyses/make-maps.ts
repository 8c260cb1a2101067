import type { Static } from "typebox";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import type { ReleaseResult } from "@swath/contract/features/maps/release-contract";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { MapTypes } from "@swath/maps/registry";
import type { PipelineJob } from "../../platform/context.ts";
import { wholeJob } from "../maps/release/whole-job.ts";
import type { MapsService } from "../maps/service.ts";

export type AddRequest = Static<(typeof analysesContract)["addMapTypes"]["request"]>;

export interface MakeMapsDeps {
  readonly maps: Pick<MapsService, "bindMap" | "pairwise" | "release">;
  readonly mapTypes: Pick<MapTypes, "find">;
}

/**
 * Maps of an area as releases end. Map types that compare two scenes are released pair by pair, and each answer holds
 * the maps of all pairs so far.
 */
export async function* makeMaps(
  deps: MakeMapsDeps,
  { mapTypes, pairingType, sceneIds }: AddRequest,
  extent: GeoJson,
  job: PipelineJob,
): AsyncGenerator<ReleaseResult> {
  const whole = wholeJob(job);
  const release = async (types: readonly string[], scenes: readonly string[]): Promise<ReleaseResult> =>
    (await deps.maps.release.run({ mapTypes: [...types], sceneIds: [...scenes], extent }, whole)).result;
  // A release pairs each scene with its predecessor.
  const pairing = pairingType ?? "prev";
  const isPaired = (id: string): boolean => pairing !== "prev" && deps.mapTypes.find(id)?.analysis?.scenes?.max === 2;
  const { paired = [], single = [] } = Object.groupBy(mapTypes, (id) => (isPaired(id) ? "paired" : "single"));
  if (single.length > 0) yield await release(single, sceneIds);
  if (paired.length === 0) return;
  const { result } = await deps.maps.pairwise.run({ mapTypes: paired, sceneIds, extent, pairingType: pairing }, whole);
  let made: ReleaseResult = { counts: { succeeded: 0, failed: 0 }, maps: [], failed: [] };
  if (result.pairs.length === 0) yield made;
  for (const pair of result.pairs) {
    made = joined(made, await release(paired, pair));
    yield made;
  }
}

function joined(a: ReleaseResult, b: ReleaseResult): ReleaseResult {
  const maps = [...a.maps, ...b.maps];
  const failed = [...a.failed, ...b.failed];
  return { counts: { succeeded: maps.length, failed: failed.length }, maps, failed };
}
