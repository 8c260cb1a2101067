import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ClearSky } from "@swath/maps/render/clear-sky";
import type {
  FailedStatistics,
  StatisticsRequest,
  UnmaskedScene,
} from "@swath/contract/features/maps/statistics-contract";
import type { PipelineJob } from "../../../platform/context.ts";
import type { LoadedMap, MapLoader } from "../grid-files/load-map.ts";
import { rasterOf } from "../native-pixels.ts";
import { makeMaps, type MadeMaps, type MakeMapsDeps } from "../release/make-maps.ts";
import type { ReleasePlan } from "../release/release-plan.ts";
import type { MapOutcome } from "../release/release-result.ts";

export interface StatisticsMapsDeps extends MakeMapsDeps {
  readonly loadMap: MapLoader;
  readonly mapTypes: { readonly all: readonly MapTypeDescriptor[] };
}

/** Maps to count, and where the sky of their scenes is clear. */
export interface StatisticsMaps {
  /** In ascending time of their scenes. */
  readonly maps: readonly LoadedMap[];
  /** Maps of clouds by their scene: they say where the sky is clear. */
  readonly masks: ReadonlyMap<string, LoadedMap>;
  readonly failed: readonly FailedStatistics[];
  readonly unmasked: readonly UnmaskedScene[];
  /** Maps that were made to be counted. */
  readonly counted: MadeMaps;
}

const NONE_MADE: MadeMaps = { outcomes: [], scenesOf: new Map() };
const NO_SHARED_GRID = "a mosaic has the grids of several scenes: ask for statistics of these";
const NO_GRID = "the scene is placed by ground control points and has no grid of a CRS";

/** Existing maps. A map of clouds among them masks the others of its scene. */
export async function existingMaps(
  { loadMap, signer }: Pick<StatisticsMapsDeps, "loadMap" | "signer">,
  signedMapIds: readonly string[],
  { cloudFree }: StatisticsRequest,
): Promise<StatisticsMaps> {
  const loaded: LoadedMap[] = [];
  for (const signed of signedMapIds) loaded.push(await loadMap(await signer.verify(signed), "-"));
  const masks = cloudFree === false ? new Map<string, LoadedMap>() : masksAmong(loaded);
  const maps = loaded.filter(hasGrid);
  return {
    maps,
    masks,
    failed: loaded.filter((map) => !hasGrid(map)).map(({ map }) => withoutGrid(map)),
    unmasked: cloudFree === false ? [] : unmaskedOf(maps, masks, () => "mapIds have no map of clouds of the scene"),
    counted: NONE_MADE,
  };
}

/** Maps of a plan, made as a release makes them; maps of clouds are made beside them where a scene allows it. */
export async function madeMaps(
  deps: StatisticsMapsDeps,
  plan: ReleasePlan,
  { cloudFree }: Pick<StatisticsRequest, "cloudFree">,
  job: PipelineJob,
): Promise<StatisticsMaps> {
  const { mapTypes } = plan;
  // Types of formulas are made anew by each look-up.
  const ids = new Set(mapTypes.map(({ id }) => id));
  const cloudTypes = deps.mapTypes.all.filter(({ id, clearSky }) => clearSky !== undefined && !ids.has(id));
  const all = cloudFree === false ? mapTypes : [...mapTypes, ...cloudTypes];
  const made = await makeMaps(deps, { ...plan, mapTypes: all }, job, () => Promise.resolve());
  const loaded: LoadedMap[] = [];
  const maps: LoadedMap[] = [];
  const failed: FailedStatistics[] = [];
  const counted: MapOutcome[] = [];
  const refusals = new Map<string, string>();
  for (const outcome of made.outcomes) {
    const { mapType, sceneId } = outcome;
    const isWanted = ids.has(mapType);
    if (outcome.status === "failed") {
      const { errorCode, errorMessage } = outcome;
      if (isWanted) failed.push({ mapType, sceneId, errorCode, errorMessage });
      if (deps.mapTypes.all.some(({ id, clearSky }) => id === mapType && clearSky !== undefined)) {
        refusals.set(sceneId, errorMessage);
      }
      continue;
    }
    const map = await deps.loadMap(await deps.signer.verify(outcome.mapId), "-");
    loaded.push(map);
    if (!isWanted) continue;
    if (hasGrid(map)) {
      maps.push(map);
      counted.push(outcome);
    } else failed.push(withoutGrid(map.map));
  }
  const masks = cloudFree === false ? new Map<string, LoadedMap>() : masksAmong(loaded);
  const reasonOf = (sceneId: string): string => refusals.get(sceneId) ?? "the scene has no map of clouds";
  return {
    maps: maps.toSorted((a, b) => a.stored.scene.datetime.localeCompare(b.stored.scene.datetime, "en")),
    masks,
    failed,
    unmasked: cloudFree === false ? [] : unmaskedOf(maps, masks, reasonOf),
    counted: { outcomes: counted, scenesOf: made.scenesOf },
  };
}

/** Pixels that ground control points place have no grid to count in. */
function hasGrid(map: LoadedMap): boolean {
  return map.mosaic == null && rasterOf(map).controlGrid === null;
}

function withoutGrid({ mapType, sceneId, mosaic }: LoadedMap["map"]): FailedStatistics {
  const errorMessage = mosaic == null ? NO_GRID : NO_SHARED_GRID;
  return { mapType, sceneId, errorCode: "UNSUPPORTED-IMAGERY", errorMessage };
}

function unmaskedOf(
  maps: readonly LoadedMap[],
  masks: ReadonlyMap<string, LoadedMap>,
  reasonOf: (sceneId: string) => string,
): readonly UnmaskedScene[] {
  const scenes = new Set(maps.filter(({ mapType }) => mapType.clearSky === undefined).map(({ map }) => map.sceneId));
  return [...scenes].flatMap((sceneId) => (masks.has(sceneId) ? [] : [{ sceneId, errorMessage: reasonOf(sceneId) }]));
}

function masksAmong(maps: readonly LoadedMap[]): ReadonlyMap<string, LoadedMap> {
  return new Map(
    maps.flatMap((loaded) => (loaded.mapType.clearSky === undefined ? [] : [[loaded.map.sceneId, loaded] as const])),
  );
}

/** The map of clouds that masks a map; null for a map of clouds, and where the scene has none. */
export function maskOf(map: LoadedMap, { masks }: Pick<StatisticsMaps, "masks">): LoadedMap | null {
  return map.mapType.clearSky === undefined ? (masks.get(map.map.sceneId) ?? null) : null;
}

/** Where the sky is clear by a map of clouds. */
export function clearSkyOf(mask: LoadedMap | null): ClearSky | null {
  const clearSky = mask?.mapType.clearSky;
  return mask === null || clearSky === undefined ? null : { ...clearSky, raster: rasterOf(mask) };
}
