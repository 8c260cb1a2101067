import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { MapTypes } from "@swath/maps/registry";
import type { Db } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { ResultRow } from "../analysis/result-store.ts";
import { requireResult, type Results } from "../analysis/results.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import * as store from "../store.ts";

/** Everything a file of a map is drawn from, so that a hot tile needs no SQL. */
export interface LoadedMap {
  readonly map: store.MapWithGeometry;
  readonly mapType: MapTypeDescriptor;
  readonly stored: StoredScene;
  /** The released area, or the sub-geometry's share of it. */
  readonly clip: MultiPolygon;
  /** What it is drawn from when that is not the scene. */
  readonly result: LoadedResult | null;
}

interface LoadedResult {
  readonly row: ResultRow;
  /** Read when a file first asks for it. */
  readonly objects: () => Promise<readonly PlacedObject[]>;
}

/** @throws {ServiceError} INVALID-MAP-ID, NON-EXISTENT-GEOMETRY */
export type MapLoader = (mapId: string, geometryId: string) => Promise<LoadedMap>;

export interface MapLoaderDeps {
  readonly areas: Pick<Areas, "intersection">;
  readonly db: Db;
  readonly mapTypes: Pick<MapTypes, "find">;
  readonly imagery: SceneLookup;
  readonly results: Pick<Results, "read" | "objects">;
}

/** Scenes with many bands and detailed footprints decode to about 100 kB. */
const LOADED_MAPS = 1000;
/** A removed or replaced scene is noticed after this long. */
const LOADED_MAP_TTL_MS = 10 * 60 * 1000;

export function createMapLoader({ areas, db, mapTypes, imagery, results }: MapLoaderDeps): MapLoader {
  const loaded = new LRUCache<string, Promise<LoadedMap>>({ max: LOADED_MAPS, ttl: LOADED_MAP_TTL_MS });

  async function load(mapId: string, geometryId: string): Promise<LoadedMap> {
    const map = await store.readMap(db, mapId);
    const mapType = map === null ? undefined : mapTypes.find(map.mapType);
    const stored = map === null ? null : await imagery.storedRevision(map.sceneId, map.sceneRevision);
    if (map === null || mapType === undefined || stored === null) {
      throw new ServiceError("INVALID-MAP-ID", "the map no longer exists: release it again");
    }
    const result = map.resultId === null ? null : await loadResult(map.resultId);
    if (geometryId === "-" || geometryId === map.geometryId) {
      return { map, mapType, stored, clip: map.geometry, result };
    }
    const sub = await store.readGeometry(db, geometryId);
    if (sub === null) throw new ServiceError("NON-EXISTENT-GEOMETRY", `there is no sub-geometry ${geometryId}`);
    return { map, mapType, stored, clip: await areas.intersection(sub, map.geometry), result };
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

  return async (mapId, geometryId) => {
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
  };
}
