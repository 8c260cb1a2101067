import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { featureIdOf } from "@swath/maps/render/objects-file";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { MapTypes } from "@swath/maps/registry";
import type { MosaicSource } from "@swath/maps/render/mosaic-member";
import type { Db } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { ResultRow } from "../analysis/result-store.ts";
import { requireResult, type Results } from "../analysis/results.ts";
import type { HiddenFeatures, SavedMaps } from "../../../platform/saved-maps.ts";
import { readMosaic } from "../mosaic/kept-mosaic.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import type { MapClaims } from "../signed-map-id.ts";
import * as store from "../store.ts";

/** Everything a file of a map is drawn from, so that a hot tile needs no SQL. */
export interface LoadedMap {
  readonly map: store.MapWithGeometry;
  readonly mapType: MapTypeDescriptor;
  readonly stored: StoredScene;
  /** The scenes of a mosaic, of which `stored` is the finest; absent or null: `stored` is the only one. */
  readonly mosaic?: MosaicSource | null;
  /** The released area, or the sub-geometry's share of it. */
  readonly clip: MultiPolygon;
  /** What it is drawn from when that is not the scene. */
  readonly result: LoadedResult | null;
  /** Changes with the features that the analysis of the map hides; null for a map of a release. */
  readonly hiddenTag: string | null;
}

interface LoadedResult {
  readonly row: ResultRow;
  /** Read when a file first asks for it. */
  readonly objects: () => Promise<readonly PlacedObject[]>;
}

/** @throws {ServiceError} INVALID-MAP-ID, NON-EXISTENT-GEOMETRY */
export type MapLoader = (map: Pick<MapClaims, "analysisId" | "mapId">, geometryId: string) => Promise<LoadedMap>;

export interface MapLoaderDeps {
  readonly areas: Pick<Areas, "intersection">;
  readonly db: Db;
  readonly mapTypes: Pick<MapTypes, "find">;
  readonly imagery: SceneLookup;
  readonly results: Pick<Results, "read" | "objects">;
  readonly savedMaps: Pick<SavedMaps, "hidden">;
}

/** Scenes with many bands and detailed footprints decode to about 100 kB. */
const LOADED_MAPS = 1000;
/** A removed or replaced scene is noticed after this long. */
const LOADED_MAP_TTL_MS = 10 * 60 * 1000;

export function createMapLoader(deps: MapLoaderDeps): MapLoader {
  const { areas, db, mapTypes, imagery, results, savedMaps } = deps;
  const loaded = new LRUCache<string, Promise<LoadedMap>>({ max: LOADED_MAPS, ttl: LOADED_MAP_TTL_MS });

  async function load(mapId: string, geometryId: string): Promise<LoadedMap> {
    const map = await store.readMap(db, mapId);
    const mapType = map === null ? undefined : mapTypes.find(map.mapType);
    const stored = map === null ? null : await imagery.storedRevision(map.sceneId, map.sceneRevision);
    if (map === null || mapType === undefined || stored === null) {
      throw new ServiceError("INVALID-MAP-ID", "the map no longer exists: release it again");
    }
    const result = map.resultId === null ? null : await loadResult(map.resultId);
    const mosaic = await readMosaic(deps, map.mosaic);
    const loadedMap = { map, mapType, stored, mosaic, result, hiddenTag: null };
    if (geometryId === "-" || geometryId === map.geometryId) {
      return { ...loadedMap, clip: map.geometry };
    }
    const sub = await store.readGeometry(db, geometryId);
    if (sub === null) throw new ServiceError("NON-EXISTENT-GEOMETRY", `there is no sub-geometry ${geometryId}`);
    return { ...loadedMap, clip: await areas.intersection(sub, map.geometry) };
  }

  async function loadResult(resultId: string): Promise<LoadedResult> {
    const row = requireResult(await results.read(resultId));
    let objects: Promise<readonly PlacedObject[]> | null = null;
    return {
      row,
      objects: () => {
        objects ??= results.objects(row).catch((error: unknown) => {
          objects = null;
          throw error;
        });
        return objects;
      },
    };
  }

  async function kept(mapId: string, geometryId: string): Promise<LoadedMap> {
    const key = `${mapId}/${geometryId}`;
    const known = loaded.get(key);
    if (known !== undefined) return await known;
    const loading = load(mapId, geometryId);
    loaded.set(key, loading);
    try {
      return await loading;
    } catch (error) {
      loaded.delete(key);
      throw error;
    }
  }

  return async ({ analysisId, mapId }, geometryId) => {
    const map = await kept(mapId, geometryId);
    if (analysisId === undefined || map.result === null) return map;
    return withoutHidden(map, analysisId, await savedMaps.hidden(analysisId));
  };
}

/** The map of an analysis without the features that the analysis hides at this moment. */
function withoutHidden(loaded: LoadedMap, analysisId: string, hidden: HiddenFeatures | null): LoadedMap {
  const { map, result } = loaded;
  if (result === null) return loaded;
  const objects = async (): Promise<readonly PlacedObject[]> => {
    if (hidden === null) throw new ServiceError("NON-EXISTENT-ANALYSIS", `the analysis ${analysisId} was deleted`);
    const all = await result.objects();
    return hidden.featureIds.size === 0 ? all : all.filter((one) => !hidden.featureIds.has(featureIdOf(map, one)));
  };
  return { ...loaded, result: { ...result, objects }, hiddenTag: hidden?.tag ?? "deleted" };
}
