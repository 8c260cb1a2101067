import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import type { Tile } from "@swath/kernel/tiles/tile";
import type { GridFile } from "@swath/maps/render/grid-renderer";
import type {
  GeoPackage,
  GeoPackageCell,
  GeoPackageLayer,
  GeoPackageTiles,
} from "../../../platform/geopackage/geopackage.ts";
import { cellOf, polygonsOf, type FeatureTable } from "./feature-table.ts";
import { inOrder } from "./in-order.ts";

const TYPES = { boolean: "BOOLEAN", number: "DOUBLE", text: "TEXT" } as const;

/** Draws tiles into a GeoPackage. @returns how many have data */
export async function addTiles(
  file: GeoPackage,
  layer: Omit<GeoPackageTiles, "maxZoom" | "minZoom">,
  tiles: readonly Tile[],
  draw: (tile: Tile) => Promise<GridFile>,
): Promise<number> {
  const zooms = tiles.map(([z]) => z);
  const add = file.addTiles({ ...layer, minZoom: Math.min(...zooms), maxZoom: Math.max(...zooms) });
  const drawn = await inOrder(tiles, async (tile) => {
    const made = await draw(tile);
    if (made.kind !== "file") return 0;
    add(tile, made.body);
    return 1;
  });
  return drawn.reduce((sum: number, one) => sum + one, 0);
}

/** Writes features into a GeoPackage, all as multipolygons: programs expect one type in a layer. */
export async function addFeatures(
  file: GeoPackage,
  layer: GeoPackageLayer,
  { features, columns, bounds }: FeatureTable,
  signal: AbortSignal,
): Promise<void> {
  const declared = columns.map(({ name, type }) => ({ name, type: TYPES[type] }));
  const add = file.addFeatures({ ...layer, geometryType: "MULTIPOLYGON", columns: declared, bounds });
  const share = loopShare();
  for (const feature of features) {
    if (isUsedUp(share)) await giveWay(share, signal);
    add(
      multiOf(feature.geometry),
      columns.map((column) => sqlCell(cellOf(feature, column))),
    );
  }
}

function multiOf(geometry: AreaGeometry): AreaGeometry {
  return { type: "MultiPolygon", coordinates: polygonsOf(geometry) };
}

/** SQLite keeps truth values as 0 and 1. */
function sqlCell(value: boolean | GeoPackageCell): GeoPackageCell {
  return typeof value === "boolean" ? Number(value) : value;
}
