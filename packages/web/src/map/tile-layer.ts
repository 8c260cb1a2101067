/** A map that is shown as tiles. */
export interface TileLayerState {
  readonly key: string;
  /** Address with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Released tiles, of one zoom; tiles below them exist, others do not. */
  readonly tiles: readonly (readonly [zoom: number, x: number, y: number])[];
  readonly maxZoom: number;
  /** Reads the picture of a tile where no address has it; null for a place without pixels. */
  readonly load?: (tile: readonly [zoom: number, x: number, y: number]) => Promise<Blob | null>;
  /** 0 to 1. */
  readonly opacity: number;
  readonly isShown: boolean;
}

/** The address of one tile. */
export function tileAddress(
  url: TileLayerState["url"],
  [zoom, x, y]: readonly [zoom: number, x: number, y: number],
): string {
  return url.replace("{z}", String(zoom)).replace("{x}", String(x)).replace("{y}", String(y));
}

/** Whether a tile is a released one or below one: others are refused, and would fill the log of the browser. */
export function isReleased(
  tiles: TileLayerState["tiles"],
  [zoom, x, y]: readonly [zoom: number, x: number, y: number],
): boolean {
  return tiles.some(([baseZoom, baseX, baseY]) => {
    const depth = zoom - baseZoom;
    return depth >= 0 && Math.floor(x / 2 ** depth) === baseX && Math.floor(y / 2 ** depth) === baseY;
  });
}
