import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { Db } from "../../platform/context.ts";
import type { KeptMosaic } from "./mosaic/kept-mosaic.ts";
import type { ListedTile } from "./signed-map-id.ts";

/** A computed map. */
export interface MapRow {
  readonly mapId: string;
  readonly sceneId: string;
  readonly mapType: string;
  readonly version: number;
  readonly geometryId: string;
  readonly maxZoom: number;
  readonly tiles: readonly ListedTile[];
  /** The result it is drawn from; null when it is drawn from the scene. */
  readonly resultId: string | null;
  /** Revision of the scene at the release. */
  readonly sceneRevision: number;
  /** Every scene of a pair or series, in order of time; null when `sceneId` is the only one. */
  readonly sceneIds: readonly string[] | null;
  /** What it was made of; null of maps of earlier versions. */
  readonly provenance: ProvenanceRecord | null;
  /** How it is made of many scenes; null of other maps. */
  readonly mosaic: KeptMosaic | null;
}

export interface MapWithGeometry extends MapRow {
  /** The released area. */
  readonly geometry: MultiPolygon;
}

/** Keeps a geometry under the hash of its content. */
export async function insertGeometry(db: Db, geometryId: string, geometry: MultiPolygon): Promise<void> {
  await sql`
    insert into map_geometries (geometry_id, geometry)
    values (${geometryId}, ${JSON.stringify(geometry)}::text::jsonb)
    on conflict (geometry_id) do nothing`.execute(db);
}

export async function readGeometry(db: Db, geometryId: string): Promise<MultiPolygon | null> {
  const { rows } = await sql<{ geometry: MultiPolygon }>`
    select geometry from map_geometries where geometry_id = ${geometryId}`.execute(db);
  return rows[0]?.geometry ?? null;
}

/** Keeps a map under the hash of its inputs; the same map again changes nothing. */
async function insertMap(db: Db, map: MapRow, createdAt: Date): Promise<void> {
  await sql`
    insert into maps
      (map_id, scene_id, map_type, version, geometry_id, max_zoom, tiles, result_id, scene_ids,
       scene_revision, provenance, mosaic, created_at)
    values (${map.mapId}, ${map.sceneId}, ${map.mapType}, ${map.version}, ${map.geometryId}, ${map.maxZoom},
      ${JSON.stringify(map.tiles)}::text::jsonb, ${map.resultId},
      ${map.sceneIds === null ? null : [...map.sceneIds]}::text[], ${map.sceneRevision},
      ${map.provenance === null ? null : JSON.stringify(map.provenance)}::text::jsonb,
      ${map.mosaic === null ? null : JSON.stringify(map.mosaic)}::text::jsonb, ${createdAt})
    on conflict (map_id) do update set provenance = excluded.provenance where maps.provenance is null`.execute(db);
}

/** Keeps a map with the record of its inputs, which is made only for a new one: its id names them. */
export async function keepMap(
  db: Db,
  map: Omit<MapRow, "provenance">,
  makeProvenance: () => Promise<MapRow["provenance"]>,
  createdAt: Date,
): Promise<void> {
  if (await hasProvenance(db, map.mapId)) return;
  await insertMap(db, { ...map, provenance: await makeProvenance() }, createdAt);
}

/** Whether the map is kept with the record of its inputs. */
async function hasProvenance(db: Db, mapId: string): Promise<boolean> {
  const { rows } = await sql<{ readonly isKept: boolean }>`
    select provenance is not null as "isKept" from maps where map_id = ${mapId}`.execute(db);
  return rows[0]?.isKept === true;
}

export async function readMap(db: Db, mapId: string): Promise<MapWithGeometry | null> {
  const { rows } = await sql<MapWithGeometry>`
    select m.map_id as "mapId", m.scene_id as "sceneId", m.map_type as "mapType", m.version,
      m.geometry_id as "geometryId", m.max_zoom as "maxZoom", m.tiles, m.result_id as "resultId",
      m.scene_ids as "sceneIds", m.scene_revision as "sceneRevision", m.provenance, m.mosaic, g.geometry
    from maps m join map_geometries g on g.geometry_id = m.geometry_id
    where m.map_id = ${mapId}`.execute(db);
  return rows[0] ?? null;
}
