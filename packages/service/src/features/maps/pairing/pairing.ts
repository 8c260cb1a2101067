import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { comparableScenes, pairsOf, sameDatetime } from "@swath/kernel/scenes/pairing";
import type { Scene } from "@swath/kernel/scenes/scene";
import { requestedArea } from "@swath/contract/kit/requested-area";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { PipelineHandler } from "../../../platform/context.ts";
import { sleep } from "@swath/base/concurrency/sleep";
import { releasedPart, type ReleasedPart } from "../plan-map.ts";
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

/** The Web Mercator square ends there. */
const MAX_LATITUDE_DEG = 85.051129;
/** Pairs that are compared before others get their turn. */
const PAIRS_AT_ONCE = 20;

export interface PairingDeps {
  readonly imagery: SceneLookup;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
}

export function createPairing({ imagery, mapTypes }: PairingDeps): PairingHandlers {
  /** Scenes that have something of the extent, their footprints cut to it, by what they can be compared with. */
  async function groupsOf(request: PairingRequest, signal: AbortSignal): Promise<readonly (readonly Scene[])[]> {
    requireMapTypes(mapTypes, request.mapTypes ?? [], (index) => `/mapTypes/${index}`);
    const area = areaOf(request);
    const scenes: Scene[] = [];
    for (const sceneId of new Set(request.sceneIds)) {
      // oxlint-disable-next-line no-await-in-loop -- most are known: a catalogue is asked for few
      const scene = await imagery.catalogueScene(sceneId, signal);
      if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
      const part = releasedPart([scene], area);
      if (!isEmpty(part)) scenes.push({ ...scene, footprint: part.inside });
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

  return {
    pairwise: {
      async prepare(request, { signal }) {
        await groupsOf(request, signal);
      },
      async run(request, { signal }) {
        const groups = await groupsOf(request, signal);
        const pairs: [string, string][] = [];
        for (const [index, [a, b]] of groups
          .flatMap((group) => pairsOf(group, request.pairingType ?? "prev"))
          .entries()) {
          // oxlint-disable-next-line no-await-in-loop -- two hundred scenes have twenty thousand pairs
          if (index % PAIRS_AT_ONCE === 0) await sleep(0, signal);
          signal.throwIfAborted();
          if (!isEmpty(releasedPart([b], a.footprint))) pairs.push([a.sceneId, b.sceneId]);
        }
        return { result: { pairs } };
      },
    },
    nwise: {
      async prepare(request, { signal }) {
        await groupsOf(request, signal);
      },
      async run(request, { signal }) {
        const { min, max } = seriesLimits(mapTypes, request.mapTypes ?? []);
        const size = Math.min(request.size ?? MAX_GROUP_SCENES, max);
        const groups = await groupsOf(request, signal);
        const cut = groups.flatMap((group) => evenParts(group, size)).filter((group) => group.length >= min);
        return { result: { groups: cut.map((group) => group.map(({ sceneId }) => sceneId)) } };
      },
    },
  };
}

function areaOf({ extent, sceneIds }: PairingRequest): MultiPolygon {
  const sceneCount = new Set(sceneIds).size;
  return requestedArea(extent, { path: "/extent", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount });
}

function isEmpty({ inside }: ReleasedPart): boolean {
  return inside.coordinates.length === 0;
}

/** Lengths of series that all of the map types take; those that do not compare series have no say. */
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

/** As few parts as their size allows, as long as each other within one item: the last scenes are no remnant. */
function evenParts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  const from = (part: number): number => Math.ceil((part * items.length) / count);
  return Array.from({ length: count }, (_, part) => items.slice(from(part), from(part + 1)));
}
