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

/** How many tiles of a zoom the listed tiles have below them. */
export function countTiles(listed: readonly TileIndex[], zoom: number): number {
  return listed.reduce((sum, [z]) => sum + 4 ** Math.max(0, zoom - z), 0);
}

/**
 * The deepest zoom that shows detail without drowning in tiles.
 *
 * @param maxZoom deepest zoom of the map; the formula for it counts 256-pixel tiles, so that tiles of 512 pixels show the
 *   scene pixel by pixel one zoom above it
 */
export function chooseZoom(listed: readonly TileIndex[], maxZoom: number, mostTiles = 64): number {
  const lowest = Math.max(...listed.map(([z]) => z));
  let zoom = Math.max(lowest, maxZoom - 1);
  while (zoom > lowest && countTiles(listed, zoom) > mostTiles) zoom -= 1;
  return zoom;
}

/**
 * Every descendant of the listed tiles at a zoom, laid out as one picture.
 *
 * @throws {RangeError} if the zoom is above that of a listed tile or there are more than 256 tiles
 */
export function planTiles(listed: readonly TileIndex[], zoom: number): TilePlan {
  if (listed.length === 0) throw new RangeError("the map has no tiles");
  const lowest = Math.max(...listed.map(([z]) => z));
  if (zoom < lowest) throw new RangeError(`zoom is ${zoom}, but the map begins at zoom ${lowest}`);
  const count = countTiles(listed, zoom);
  if (count > MOST_TILES) {
    throw new RangeError(`zoom ${zoom} has ${count} tiles, at most ${MOST_TILES} fit into one picture`);
  }
  const found = new Map<string, TileIndex>();
  for (const [z, x, y] of listed) {
    const scale = 2 ** (zoom - z);
    for (let row = 0; row < scale; row += 1) {
      for (let column = 0; column < scale; column += 1) {
        const tile: TileIndex = [zoom, x * scale + column, y * scale + row];
        found.set(tile.join("/"), tile);
      }
    }
  }
  const tiles = [...found.values()];
  const west = Math.min(...tiles.map(([, x]) => x));
  const north = Math.min(...tiles.map(([, , y]) => y));
  return {
    zoom,
    columns: Math.max(...tiles.map(([, x]) => x)) - west + 1,
    rows: Math.max(...tiles.map(([, , y]) => y)) - north + 1,
    tiles: tiles.map((tile) => ({ tile, column: tile[1] - west, row: tile[2] - north })),
  };
}
