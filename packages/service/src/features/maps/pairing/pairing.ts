import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { comparableScenes, pairsOf, sameDatetime } from "@swath/kernel/scenes/pairing";
import type { Scene } from "@swath/kernel/scenes/scene";
import { requestedArea } from "../../../contract-kit/requested-area.ts";
import { ServiceError } from "../../../errors.ts";
import type { PipelineHandler } from "../../../platform/context.ts";
import { mapTypes as registry } from "../../../map-types/registry.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import {
  MAX_GROUP_SCENES,
  type NwiseRequest,
  type NwiseResult,
  type PairwiseRequest,
  type PairwiseResult,
} from "./pairing-contract.ts";

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
/** Half a square metre: what floating point leaves of areas that only touch. */
const MIN_AREA_KM2 = 5e-7;

export function createPairing(imagery: SceneLookup): PairingHandlers {
  /** Scenes that have something of the extent, by what they can be compared with. */
  async function groupsOf(
    { sceneIds, extent, mapTypes }: PairingRequest,
    signal: AbortSignal,
  ): Promise<readonly (readonly Scene[])[]> {
    requireMapTypes(mapTypes ?? []);
    const area = areaOf(extent);
    const scenes: Scene[] = [];
    for (const sceneId of new Set(sceneIds)) {
      // oxlint-disable-next-line no-await-in-loop -- most are known: a catalogue is asked for few
      const scene = await imagery.catalogueScene(sceneId, signal);
      if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
      if (sharesArea([scene], area)) scenes.push(scene);
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
        const area = areaOf(request.extent);
        const groups = await groupsOf(request, signal);
        const pairs = groups
          .flatMap((group) => pairsOf(group, request.pairingType ?? "prev"))
          .filter((pair) => sharesArea(pair, area));
        return { result: { pairs: pairs.map(([a, b]): [string, string] => [a.sceneId, b.sceneId]) } };
      },
    },
    nwise: {
      async prepare(request, { signal }) {
        await groupsOf(request, signal);
      },
      async run(request, { signal }) {
        const size = request.size ?? MAX_GROUP_SCENES;
        const groups = await groupsOf(request, signal);
        const cut = groups.flatMap((group) => chunks(group, size)).filter((group) => group.length >= 2);
        return { result: { groups: cut.map((group) => group.map(({ sceneId }) => sceneId)) } };
      },
    },
  };
}

function areaOf(extent: GeoJson): MultiPolygon {
  return requestedArea(extent, { path: "/extent", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: 0 });
}

function sharesArea(scenes: readonly Scene[], area: MultiPolygon): boolean {
  return areaKm2(scenes.reduce((part, { footprint }) => intersection(part, footprint), area)) >= MIN_AREA_KM2;
}

function requireMapTypes(ids: readonly string[]): void {
  const details = ids.flatMap((id, index) =>
    registry.has(id) ? [] : [{ path: `/mapTypes/${index}`, message: `there is no map type ${id}` }],
  );
  if (details.length === 0) return;
  throw new ServiceError("VALIDATION-ERROR", details.map(({ message }) => message).join("; "), { details });
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
