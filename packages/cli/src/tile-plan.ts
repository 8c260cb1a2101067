import type { Bounds } from "@swath/kernel/geometry/geojson";

/** A tile of the Web Mercator pyramid. */
export type TileIndex = readonly [z: number, x: number, y: number];

/** Tiles to download and where each goes in the picture. */
export interface TilePlan {
  readonly zoom: number;
  readonly columns: number;
  readonly rows: number;
  readonly tiles: readonly { readonly tile: TileIndex; readonly column: number; readonly row: number }[];
}

/** Tiles are 512 pixels square: 256 of them are a picture of 67 megapixels. */
const MOST_TILES = 256;
/** A picture of up to 4 by 3 tiles is small enough to be shown at the deepest zoom. */
const SMALL_TILES = 12;

function lowestZoom(listed: readonly TileIndex[]): number {
  if (listed.length === 0) throw new RangeError("the map has no tiles");
  return Math.max(...listed.map(([z]) => z));
}

/** Columns and rows of the tiles of a zoom that a box touches, inclusive. */
function tilesOfBox([west, south, east, north]: Bounds, zoom: number) {
  const scale = 2 ** zoom;
  const column = (lonDeg: number): number => Math.floor(((lonDeg + 180) / 360) * scale);
  const row = (latDeg: number): number => {
    const lat = (Math.min(85.05, Math.max(-85.05, latDeg)) * Math.PI) / 180;
    return Math.floor(((1 - Math.asinh(Math.tan(lat)) / Math.PI) / 2) * scale);
  };
  return { west: column(west), east: column(east), north: row(north), south: row(south), scale };
}

/**
 * Tiles of a zoom below the listed ones, without those that lie outside the box.
 *
 * @throws {RangeError} if the zoom is above that of a listed tile or there are more than 256 tiles
 */
function descend(listed: readonly TileIndex[], zoom: number, bounds: Bounds | null): readonly TileIndex[] {
  const found = new Map<string, TileIndex>();
  const box = bounds === null ? null : tilesOfBox(bounds, zoom);
  for (const [z, x, y] of listed) {
    const scale = 2 ** (zoom - z);
    const count = scale * scale;
    if (box === null && count * listed.length > MOST_TILES) tooMany(zoom, count * listed.length);
    const west = x * scale;
    const north = y * scale;
    let firstColumn = west;
    let lastColumn = west + scale - 1;
    let firstRow = north;
    let lastRow = north + scale - 1;
    // A box across the antimeridian keeps every column.
    if (box !== null && box.east < box.scale && box.west >= 0) {
      firstColumn = Math.max(firstColumn, box.west);
      lastColumn = Math.min(lastColumn, box.east);
    }
    if (box !== null) {
      firstRow = Math.max(firstRow, box.north);
      lastRow = Math.min(lastRow, box.south);
    }
    for (let row = firstRow; row <= lastRow; row += 1) {
      for (let column = firstColumn; column <= lastColumn; column += 1) {
        const tile: TileIndex = [zoom, column, row];
        found.set(tile.join("/"), tile);
        if (found.size > MOST_TILES) tooMany(zoom, (lastColumn - firstColumn + 1) * (lastRow - firstRow + 1));
      }
    }
  }
  return [...found.values()];
}

function tooMany(zoom: number, count: number): never {
  throw new RangeError(`zoom ${zoom} has ${count} tiles, at most ${MOST_TILES} fit into one picture`);
}

/**
 * The deepest zoom that shows detail without drowning in tiles. The formula of the map's deepest zoom counts 256-pixel
 * tiles, so that tiles of 512 pixels show the scene pixel by pixel one zoom above it; small areas are shown larger.
 *
 * @param maxZoom deepest zoom of the map
 */
export function chooseZoom(
  listed: readonly TileIndex[],
  maxZoom: number,
  bounds: Bounds | null,
  mostTiles = 64,
): number {
  const lowest = lowestZoom(listed);
  const count = (zoom: number): number => {
    try {
      return descend(listed, zoom, bounds).length;
    } catch {
      return Infinity;
    }
  };
  if (maxZoom > lowest && count(maxZoom) <= SMALL_TILES) return maxZoom;
  let zoom = Math.max(lowest, maxZoom - 1);
  while (zoom > lowest && count(zoom) > mostTiles) zoom -= 1;
  return zoom;
}

/**
 * The descendants of the listed tiles at a zoom, laid out as one picture.
 *
 * @param bounds leaves out tiles outside this box; null keeps all
 * @throws {RangeError} if the zoom is above that of a listed tile, nothing is left or there are more than 256 tiles
 */
export function planTiles(listed: readonly TileIndex[], zoom: number, bounds: Bounds | null = null): TilePlan {
  const lowest = lowestZoom(listed);
  if (zoom < lowest) throw new RangeError(`zoom is ${zoom}, but the map begins at zoom ${lowest}`);
  const tiles = descend(listed, zoom, bounds);
  if (tiles.length === 0) throw new RangeError("no tile of the map lies inside the area");
  const west = Math.min(...tiles.map(([, x]) => x));
  const north = Math.min(...tiles.map(([, , y]) => y));
  return {
    zoom,
    columns: Math.max(...tiles.map(([, x]) => x)) - west + 1,
    rows: Math.max(...tiles.map(([, , y]) => y)) - north + 1,
    tiles: tiles.map((tile) => ({ tile, column: tile[1] - west, row: tile[2] - north })),
  };
}
