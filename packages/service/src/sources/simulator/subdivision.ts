import { hashUnit } from "./noise.ts";

/** A rectangle cut out of a larger one; reused between calls, so read it before the next. */
export interface Piece {
  u0: number;
  u1: number;
  v0: number;
  v1: number;
  /** Identifies the piece among all pieces of the same seed. */
  key: number;
}

/**
 * The piece of a recursively halved rectangle that holds a point: the longer side is cut at a random place between
 * 36 and 64 percent until the piece is smaller than `smallest`. Looks like parcels of land and building lots.
 *
 * @param piece the rectangle to cut, changed in place to the piece found
 */
export function subdivide(piece: Piece, u: number, v: number, smallest: number, stretch: number, seed: number): void {
  for (let depth = 0; depth < 12; depth += 1) {
    const width = piece.u1 - piece.u0;
    const height = (piece.v1 - piece.v0) * stretch;
    const longer = Math.max(width, height);
    if (longer < smallest * 1.7) return;
    const cut = 0.36 + 0.28 * hashUnit(piece.key, depth, seed);
    let side: number;
    if (width >= height) {
      const at = piece.u0 + width * cut;
      side = u < at ? 0 : 1;
      if (side === 0) piece.u1 = at;
      else piece.u0 = at;
    } else {
      const at = piece.v0 + (piece.v1 - piece.v0) * cut;
      side = v < at ? 0 : 1;
      if (side === 0) piece.v1 = at;
      else piece.v0 = at;
    }
    piece.key = Math.imul(piece.key, 0x01000193) + side * 0x5bd1e995 + depth + 1;
  }
}

/** Metres from a point inside the piece to its nearest side. */
export function distanceToSide(piece: Piece, u: number, v: number): number {
  return Math.min(u - piece.u0, piece.u1 - u, v - piece.v0, piece.v1 - v);
}
