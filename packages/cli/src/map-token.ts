import { UsageError } from "./exit-code.ts";
import { tokenClaims } from "./token-claims.ts";
import type { TileIndex } from "./tile-plan.ts";

/** What a map ID says about itself: it is a signed token whose middle part anyone may read. */
export interface MapToken {
  readonly mapType: string;
  readonly tiles: readonly TileIndex[];
}

/** @throws {UsageError} when the text is not a map ID */
export function readMapToken(mapId: string): MapToken {
  const { mapType, tiles } = tokenClaims(mapId);
  if (typeof mapType === "string" && Array.isArray(tiles)) {
    const listed = tiles.map(tileOf).filter((tile) => tile !== null);
    if (listed.length === tiles.length && listed.length > 0) return { mapType, tiles: listed };
  }
  throw new UsageError("that is not a map ID: expected the mapId of a released map");
}

function tileOf(value: unknown): TileIndex | null {
  if (typeof value !== "object" || value === null || !("x" in value) || !("y" in value) || !("zoom" in value))
    return null;
  const { x, y, zoom } = value;
  return typeof x === "number" && typeof y === "number" && typeof zoom === "number" ? [zoom, x, y] : null;
}
