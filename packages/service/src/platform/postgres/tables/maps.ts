import type { ColumnType, JSONColumnType } from "kysely";

export interface MapGeometriesTable {
  geometry_id: string;
  geometry: JSONColumnType<object>;
}

export interface MapsTable {
  map_id: string;
  scene_id: string;
  map_type: string;
  version: number;
  geometry_id: string;
  max_zoom: number;
  tiles: JSONColumnType<object>;
  created_at: ColumnType<Date, Date, Date>;
}

export interface MapSigningKeysTable {
  id: number;
  secret: Buffer;
}

/** Row types of migration 0006. */
export interface MapTables {
  map_geometries: MapGeometriesTable;
  maps: MapsTable;
  map_signing_keys: MapSigningKeysTable;
}
