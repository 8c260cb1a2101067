import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { comparableScenes, pairsOf, sameDatetime } from "@swath/kernel/scenes/pairing";
import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { PipelineHandler, RequestContext } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { catalogueScenes } from "../catalogue-scenes.ts";
import { releasedArea } from "../released-area.ts";
import { isEmptyPart, releasedPart } from "../released-part.ts";
import { requireMapTypes } from "../require-map-types.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import {
  MAX_GROUP_SCENES,
  type NwiseRequest,
  type NwiseResult,
  type PairwiseRequest,
  type PairwiseResult,
} from "@swath/contract/features/maps/pairing-contract";

export interface PairingHandlers {
  readonly pairwise: PipelineHandler<PairwiseRequest, PairwiseResult>;
  readonly nwise: PipelineHandler<NwiseRequest, NwiseResult>;
}

interface PairingRequest {
  readonly sceneIds: readonly string[];
  readonly extent: GeoJson;
  readonly mapTypes?: readonly string[] | undefined;
}

export interface PairingDeps {
  readonly areas: Pick<Areas, "intersection" | "read">;
  readonly imagery: Pick<SceneLookup, "seenBy">;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
}

export function createPairing(deps: PairingDeps): PairingHandlers {
  return {
    pairwise: {
      async prepare(request, context) {
        await groupsOf(deps, request, context);
      },
      async run(request, job) {
        const groups = await groupsOf(deps, request, job);
        const pairs = groups.flatMap((group) => pairsOf(group, request.pairingType ?? "prev"));
        return { result: { pairs: await overlappingPairs(deps.areas, pairs, job.signal) } };
      },
    },
    nwise: {
      async prepare(request, context) {
        await groupsOf(deps, request, context);
      },
      async run(request, job) {
        const { min, max } = seriesLimits(deps.mapTypes, request.mapTypes ?? []);
        const size = Math.min(request.size ?? MAX_GROUP_SCENES, max);
        const groups = await groupsOf(deps, request, job);
        const cut = groups.flatMap((group) => evenParts(group, size)).filter((group) => group.length >= min);
        return { result: { groups: cut.map((group) => group.map(({ sceneId }) => sceneId)) } };
      },
    },
  };
}

/** Scenes with a part in the extent, their footprints cut to it, in groups that can be compared. */
async function groupsOf(
  { areas, imagery, mapTypes }: PairingDeps,
  request: PairingRequest,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<readonly (readonly Scene[])[]> {
  requireMapTypes(mapTypes, request.mapTypes ?? [], (index) => `/mapTypes/${index}`);
  const { extent, sceneIds } = request;
  const area = await releasedArea(areas, extent, { path: "/extent", sceneIds }, signal);
  const scenes: Scene[] = [];
  for (const scene of (await catalogueScenes(imagery.seenBy(caller), sceneIds, signal)).values()) {
    const part = await releasedPart(areas, [scene], area, signal);
    if (!isEmptyPart(part)) scenes.push({ ...scene, footprint: part.inside });
  }
  if (scenes.length === 0) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", "none of the scenes intersects the extent");
  }
  const groups = comparableScenes(scenes);
  const same = sameDatetime(groups);
  if (same !== null) {
    const [a, b] = same;
    throw new ServiceError(
      "SCENES-WITH-SAME-DATETIME",
      `${a.sceneId} and ${b.sceneId} were both taken at ${a.datetime}, expected each time once: leave one out`,
    );
  }
  return groups;
}

/** Ids of the pairs whose footprints overlap. */
async function overlappingPairs(
  areas: Pick<Areas, "intersection">,
  pairs: readonly (readonly [Scene, Scene])[],
  signal: AbortSignal,
): Promise<[string, string][]> {
  const overlapping: [string, string][] = [];
  const share = loopShare();
  for (const [a, b] of pairs) {
    // Two hundred scenes have twenty thousand pairs.
    if (isUsedUp(share)) await giveWay(share, signal);
    if (!isEmptyPart(await releasedPart(areas, [b], a.footprint, signal))) overlapping.push([a.sceneId, b.sceneId]);
  }
  return overlapping;
}

/** Lengths of series that all of the map types take. Types that compare no series set no limit. */
function seriesLimits(
  mapTypes: Pick<MapTypes, "find">,
  mapTypeIds: readonly string[],
): { readonly min: number; readonly max: number } {
  let [min, max] = [2, MAX_GROUP_SCENES];
  for (const id of mapTypeIds) {
    const scenes = mapTypes.find(id)?.analysis?.scenes;
    if (scenes === undefined || scenes.max <= 2) continue;
    min = Math.max(min, scenes.min);
    max = Math.min(max, scenes.max);
  }
  return { min, max };
}

/** As few parts as their size allows, of equal length within one item: the last part is no remnant. */
function evenParts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  const from = (part: number): number => Math.ceil((part * items.length) / count);
  return Array.from({ length: count }, (_, part) => items.slice(from(part), from(part + 1)));
}
