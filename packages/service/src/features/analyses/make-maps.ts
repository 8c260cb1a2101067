import type { Static } from "typebox";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import type { ReleaseResult } from "@swath/contract/features/maps/release-contract";
import { mostPairs, type PairingType } from "@swath/kernel/scenes/pairing";
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
  request: AddRequest,
  extent: GeoJson,
  job: PipelineJob,
): AsyncGenerator<ReleaseResult> {
  const whole = wholeJob(job);
  const release = async (types: readonly string[], scenes: readonly string[]): Promise<ReleaseResult> =>
    (await deps.maps.release.run({ mapTypes: [...types], sceneIds: [...scenes], extent }, whole)).result;
  const { sceneIds } = request;
  const { pairing, paired, single } = typesOf(deps, request);
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

/** Maps that a request can make at most of one place. */
export function mostMaps(deps: Pick<MakeMapsDeps, "mapTypes">, request: AddRequest): number {
  const { pairing, paired, single } = typesOf(deps, request);
  const { length } = request.sceneIds;
  return single.length * length + paired.length * mostPairs(length, pairing);
}

interface RequestedTypes {
  readonly pairing: PairingType;
  /** Released pair by pair. */
  readonly paired: string[];
  /** Released with all scenes at once. */
  readonly single: string[];
}

function typesOf(
  { mapTypes: registry }: Pick<MakeMapsDeps, "mapTypes">,
  { mapTypes, pairingType }: Pick<AddRequest, "mapTypes" | "pairingType">,
): RequestedTypes {
  // A release pairs each scene with its predecessor.
  const pairing = pairingType ?? "prev";
  const isPaired = (id: string): boolean => pairing !== "prev" && registry.find(id)?.analysis?.scenes?.max === 2;
  const { paired = [], single = [] } = Object.groupBy(mapTypes, (id) => (isPaired(id) ? "paired" : "single"));
  return { pairing, paired, single };
}

function joined(a: ReleaseResult, b: ReleaseResult): ReleaseResult {
  const maps = [...a.maps, ...b.maps];
  const failed = [...a.failed, ...b.failed];
  return { counts: { succeeded: maps.length, failed: failed.length }, maps, failed };
}
