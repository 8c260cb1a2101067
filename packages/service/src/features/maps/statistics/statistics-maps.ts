import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ClearSky } from "@swath/maps/render/grid-renderer";
import type { FailedStatistics, StatisticsRequest } from "@swath/contract/features/maps/statistics-contract";
import type { PipelineJob } from "../../../platform/context.ts";
import type { LoadedMap, MapLoader } from "../grid-files/load-map.ts";
import { rasterOf } from "../native-pixels.ts";
import { makeMaps, type MakeMapsDeps } from "../release/make-maps.ts";
import type { ReleasePlan } from "../release/release-plan.ts";

export interface StatisticsMapsDeps extends MakeMapsDeps {
  readonly loadMap: MapLoader;
  readonly mapTypes: { readonly all: readonly MapTypeDescriptor[] };
}

/** Maps to count, and where the sky of their scenes is clear. */
export interface StatisticsMaps {
  readonly maps: readonly LoadedMap[];
  readonly clearSkies: ReadonlyMap<string, ClearSky>;
  readonly failed: readonly FailedStatistics[];
}

/** Existing maps. A map of clouds among them masks the others of its scene. */
export async function existingMaps(
  { loadMap, signer }: Pick<StatisticsMapsDeps, "loadMap" | "signer">,
  signedMapIds: readonly string[],
  { cloudFree }: StatisticsRequest,
): Promise<StatisticsMaps> {
  const maps: LoadedMap[] = [];
  for (const signed of signedMapIds) maps.push(await loadMap((await signer.verify(signed)).mapId, "-"));
  return gridded(maps, cloudFree === false ? new Map() : clearSkiesOf(maps), []);
}

/** Maps of a plan, made as a release makes them; maps of clouds are made beside them where a scene allows it. */
export async function madeMaps(
  deps: StatisticsMapsDeps,
  plan: ReleasePlan,
  { cloudFree }: StatisticsRequest,
  job: PipelineJob,
): Promise<StatisticsMaps> {
  const { mapTypes } = plan;
  // Types of formulas are made anew by each look-up.
  const ids = new Set(mapTypes.map(({ id }) => id));
  const masks = deps.mapTypes.all.filter(({ id, clearSky }) => clearSky !== undefined && !ids.has(id));
  const all = cloudFree === false ? mapTypes : [...mapTypes, ...masks];
  const { outcomes } = await makeMaps(deps, { ...plan, mapTypes: all }, job, () => Promise.resolve());
  const loaded: LoadedMap[] = [];
  const failed: FailedStatistics[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === "succeeded") {
      loaded.push(await deps.loadMap((await deps.signer.verify(outcome.mapId)).mapId, "-"));
    } else if (ids.has(outcome.mapType)) {
      const { mapType, sceneId, errorCode, errorMessage } = outcome;
      failed.push({ mapType, sceneId, errorCode, errorMessage });
    }
  }
  const wanted = loaded.filter(({ mapType }) => ids.has(mapType.id));
  return gridded(wanted, cloudFree === false ? new Map() : clearSkiesOf(loaded), failed);
}

/** Pixels that ground control points place have no grid to count in. */
function gridded(
  maps: readonly LoadedMap[],
  clearSkies: ReadonlyMap<string, ClearSky>,
  failed: readonly FailedStatistics[],
): StatisticsMaps {
  const [placed = [], withGrid = []] = [true, false].map((isPlaced) =>
    maps.filter((map) => (rasterOf(map).controlGrid !== null) === isPlaced),
  );
  const refused = placed.map(({ map: { mapType, sceneId } }): FailedStatistics => {
    const errorMessage = "the scene is placed by ground control points and has no grid of a CRS";
    return { mapType, sceneId, errorCode: "UNSUPPORTED-IMAGERY", errorMessage };
  });
  return { maps: withGrid, clearSkies, failed: [...failed, ...refused] };
}

function clearSkiesOf(maps: readonly LoadedMap[]): ReadonlyMap<string, ClearSky> {
  return new Map(
    maps.flatMap((loaded) => {
      const { clearSky } = loaded.mapType;
      return clearSky === undefined ? [] : [[loaded.map.sceneId, { ...clearSky, raster: rasterOf(loaded) }] as const];
    }),
  );
}
