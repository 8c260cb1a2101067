import type { ColumnType, Generated, JSONColumnType } from "kysely";

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
  result_id: string | null;
  scene_ids: string[] | null;
  /** Revision of `scene_id`. */
  scene_revision: Generated<number>;
  /** Migration 0043. */
  provenance: JSONColumnType<object> | null;
  /** Migration 0061. */
  mosaic: JSONColumnType<object> | null;
}

/** Migration 0065. */
export interface ReleasedMapsTable {
  user_id: string;
  scene_id: string;
  map_id: string;
  released_at: ColumnType<Date, Date | undefined, Date>;
}

/** Migration 0017. */
export interface MapResultsTable {
  result_id: string;
  map_type: string;
  algo_version: number;
  scene_ids: string[];
  parameters: JSONColumnType<object>;
  owner: string;
  lease_until: ColumnType<Date, Date, Date>;
  raster: JSONColumnType<object> | null;
  objects_key: string | null;
  metadata: JSONColumnType<object> | null;
  created_at: ColumnType<Date, Date, Date>;
  finished_at: ColumnType<Date | null, Date | null, Date | null>;
}

export interface MapSigningKeysTable {
  id: number;
  secret: Buffer;
  /** Signs from this moment on until the next one does. */
  signs_from: ColumnType<Date, Date | undefined, Date>;
}

/** Migration 0018. */
export interface MapDownloadsTable {
  pipeline_id: string;
  file_name: string;
  media_type: string;
  size_bytes: string;
  hash: string;
  expires_at: ColumnType<Date, Date, Date>;
}

/** Migration 0050. */
export interface MapLinksTable {
  id: string;
  owner_id: string;
  name: string | null;
  claims: JSONColumnType<object>;
  created_at: ColumnType<Date, Date, never>;
  expires_at: ColumnType<Date, Date, never>;
}

/** Row types of migrations 0006, 0017, 0018, 0031, 0050 and 0061. */
export interface MapTables {
  map_downloads: MapDownloadsTable;
  map_geometries: MapGeometriesTable;
  map_links: MapLinksTable;
  map_results: MapResultsTable;
  maps: MapsTable;
  map_signing_keys: MapSigningKeysTable;
  released_maps: ReleasedMapsTable;
}
