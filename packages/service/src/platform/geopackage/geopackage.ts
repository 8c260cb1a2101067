import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { AreaGeometry, Bounds } from "@swath/kernel/geometry/geojson";
import { wkbOf } from "@swath/kernel/geometry/wkb";
import { MERCATOR_HALF_SIDE_M, type MercatorBounds, type Tile } from "@swath/kernel/tiles/tile";
import { GEOPACKAGE_SCHEMA, REFERENCE_SYSTEMS, WEB_MERCATOR_SRS, WGS84_SRS } from "./geopackage-schema.ts";

/** A layer as its readers list it. */
export interface GeoPackageLayer {
  readonly table: string;
  readonly title: string;
  readonly description: string;
}

export interface GeoPackageTiles extends GeoPackageLayer {
  readonly tileSidePx: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Area that the tiles show, EPSG:3857. */
  readonly bounds: MercatorBounds;
}

interface GeoPackageFeatures extends GeoPackageLayer {
  readonly geometryType: "GEOMETRY" | "MULTIPOLYGON";
  readonly columns: readonly { readonly name: string; readonly type: "BOOLEAN" | "DOUBLE" | "TEXT" }[];
  /** Null without features. */
  readonly bounds: Bounds | null;
}

export type GeoPackageCell = number | string | null;

/** A GeoPackage that is being written: SQLite holds two megabytes of it in memory, the file the rest. */
export interface GeoPackage extends Disposable {
  /** @returns adds a PNG, JPEG or WebP; each tile once */
  addTiles(layer: GeoPackageTiles): (tile: Tile, body: Uint8Array) => void;
  /** @returns adds a feature, its cells in the order of the columns */
  addFeatures(layer: GeoPackageFeatures): (geometry: AreaGeometry, cells: readonly GeoPackageCell[]) => void;
  /** Completes the file; its path. */
  finish(): string;
}

/**
 * Makes a GeoPackage.
 *
 * @param folder an existing folder without a GeoPackage
 * @param changedAt moment of its last change, RFC 3339 with milliseconds
 */
export function createGeoPackage(folder: string, changedAt: string): GeoPackage {
  const path = join(folder, "map.gpkg");
  const database = new DatabaseSync(path);
  // A file that was not finished is thrown away: nothing is ever rolled back.
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000");
  database.exec(GEOPACKAGE_SCHEMA);
  database.exec("BEGIN");
  const system = database.prepare("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, NULL)");
  for (const { name, id, organization, definition } of REFERENCE_SYSTEMS) {
    system.run(name, id, organization, id, definition);
  }
  const list = (layer: GeoPackageLayer, type: string, bounds: readonly (number | null)[], srs: number): void => {
    database
      .prepare("INSERT INTO gpkg_contents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(layer.table, type, layer.title, layer.description, changedAt, ...bounds, srs);
  };
  return {
    addTiles(layer) {
      list(layer, "tiles", layer.bounds, WEB_MERCATOR_SRS);
      const insert = createTiles(database, layer);
      return ([z, x, y], body) => void insert.run(z, x, y, body);
    },
    addFeatures(layer) {
      list(layer, "features", layer.bounds ?? [null, null, null, null], WGS84_SRS);
      const insert = createFeatures(database, layer);
      return (geometry, cells) => void insert.run(blobOf(geometry), ...cells);
    },
    finish() {
      database.exec("COMMIT");
      return path;
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function createTiles(database: DatabaseSync, layer: GeoPackageTiles): StatementSync {
  const { table, tileSidePx, minZoom, maxZoom } = layer;
  database.exec(
    `CREATE TABLE ${quoted(table)} (id INTEGER PRIMARY KEY AUTOINCREMENT, zoom_level INTEGER NOT NULL,
     tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB NOT NULL,
     UNIQUE (zoom_level, tile_column, tile_row))`,
  );
  const half = MERCATOR_HALF_SIDE_M;
  database
    .prepare("INSERT INTO gpkg_tile_matrix_set VALUES (?, ?, ?, ?, ?, ?)")
    .run(table, WEB_MERCATOR_SRS, -half, -half, half, half);
  const matrix = database.prepare("INSERT INTO gpkg_tile_matrix VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (let zoom = minZoom; zoom <= maxZoom; zoom++) {
    const pixelM = (2 * half) / 2 ** zoom / tileSidePx;
    matrix.run(table, zoom, 2 ** zoom, 2 ** zoom, tileSidePx, tileSidePx, pixelM, pixelM);
  }
  return database.prepare(
    `INSERT INTO ${quoted(table)} (zoom_level, tile_column, tile_row, tile_data) VALUES (?, ?, ?, ?)`,
  );
}

function createFeatures(database: DatabaseSync, layer: GeoPackageFeatures): StatementSync {
  const { table, columns, geometryType } = layer;
  const declared = columns.map(({ name, type }) => `, ${quoted(name)} ${type}`).join("");
  database.exec(
    `CREATE TABLE ${quoted(table)} (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom ${geometryType}${declared})`,
  );
  database
    .prepare("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)")
    .run(table, geometryType, WGS84_SRS);
  const names = columns.map(({ name }) => `, ${quoted(name)}`).join("");
  return database.prepare(`INSERT INTO ${quoted(table)} (geom${names}) VALUES (?${", ?".repeat(columns.length)})`);
}

/** Header without an envelope, little-endian, and the geometry (OGC 12-128r17, 2.1.3). */
function blobOf(geometry: AreaGeometry): Uint8Array {
  const wkb = wkbOf(geometry);
  const bytes = new Uint8Array(8 + wkb.length);
  bytes.set([0x47, 0x50, 0, 1]);
  new DataView(bytes.buffer).setInt32(4, WGS84_SRS, true);
  bytes.set(wkb, 8);
  return bytes;
}
