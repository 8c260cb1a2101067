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
  readonly maps: Pick<MapsService, "pairwise" | "release">;
  readonly mapTypes: Pick<MapTypes, "find">;
}

/** Maps of an area, as a release makes them, with pairs of the kind that the request names. */
export async function makeMaps(
  { maps, mapTypes }: MakeMapsDeps,
  { mapTypes: ids, pairingType, sceneIds }: AddRequest,
  extent: GeoJson,
  job: PipelineJob,
): Promise<ReleaseResult> {
  const whole = wholeJob(job);
  const release = async (types: readonly string[], scenes: readonly string[]): Promise<ReleaseResult> =>
    types.length === 0
      ? NOTHING
      : (await maps.release.run({ mapTypes: [...types], sceneIds: [...scenes], extent }, whole)).result;
  // A release pairs each scene with its predecessor.
  if (pairingType === undefined || pairingType === null || pairingType === "prev") return await release(ids, sceneIds);
  const isPaired = (id: string): boolean => mapTypes.find(id)?.analysis?.scenes?.max === 2;
  const paired = ids.filter(isPaired);
  const results = [
    await release(
      ids.filter((id) => !isPaired(id)),
      sceneIds,
    ),
  ];
  if (paired.length > 0) {
    const request = { mapTypes: paired, sceneIds, extent, pairingType };
    const { pairs } = (await maps.pairwise.run(request, whole)).result;
    for (const pair of pairs) results.push(await release(paired, pair));
  }
  return results.reduce(joined, NOTHING);
}

const NOTHING: ReleaseResult = { counts: { succeeded: 0, failed: 0 }, maps: [], failed: [] };

function joined(a: ReleaseResult, b: ReleaseResult): ReleaseResult {
  const [maps, failed] = [
    [...a.maps, ...b.maps],
    [...a.failed, ...b.failed],
  ];
  return { counts: { succeeded: maps.length, failed: failed.length }, maps, failed };
}
