import { Type } from "typebox";

/** A Web Mercator tile as `[z, x, y]`. */
export const TileSchema = Type.Unsafe<readonly [z: number, x: number, y: number]>({
  type: "array",
  title: "Tile",
  description: "[z, x, y] in the Web Mercator pyramid; x grows eastwards, y southwards",
  minItems: 3,
  maxItems: 3,
  items: { type: "integer", minimum: 0, maximum: 1_073_741_823 },
});

const MAX_STORE_TILE = 100_000;

/** A tile of a dataset that is kept in store tiles, as `[x, y]`. */
export const StoreTileSchema = Type.Unsafe<readonly [x: number, y: number]>({
  type: "array",
  title: "StoreTile",
  description: "[x, y] index of a store tile of the dataset",
  minItems: 2,
  maxItems: 2,
  // Tiles of 1 km and more: a hundred thousand of them reach round the earth.
  items: { type: "integer", minimum: -MAX_STORE_TILE, maximum: MAX_STORE_TILE },
});
