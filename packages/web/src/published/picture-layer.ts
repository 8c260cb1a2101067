import { PMTiles, TileType } from "pmtiles";
import type { TileLayerState } from "../map/tile-layer.ts";
import { RangeSource } from "./range-source.ts";

const MEDIA_TYPES: Readonly<Partial<Record<TileType, string>>> = {
  [TileType.Png]: "image/png",
  [TileType.Webp]: "image/webp",
};

/** Opens the PMTiles of a picture as a layer of the map. @throws {Error} when it cannot be read */
export async function pictureLayer(path: string): Promise<TileLayerState> {
  const archive = new PMTiles(new RangeSource(path));
  const { maxZoom, tileType } = await archive.getHeader();
  const type = MEDIA_TYPES[tileType];
  if (type === undefined) throw new Error(`${path}: tiles of the type ${tileType}, expected PNG or WebP`);
  return {
    key: path,
    url: path,
    // The archive has the tiles above its map, too, up to the one of the whole world.
    tiles: [[0, 0, 0]],
    maxZoom,
    load: async ([z, x, y]) => {
      const tile = await archive.getZxy(z, x, y);
      return tile === undefined ? null : new Blob([tile.data], { type });
    },
    opacity: 1,
    isShown: true,
  };
}
