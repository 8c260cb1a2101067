/** A ring in pixel coordinates as `[x0, y0, x1, y1, …]`: x eastwards, y southwards from the top-left corner. */
export type PixelRing = readonly number[];

/**
 * 255 for every pixel whose centre lies inside an odd number of the rings, else 0; row-major. A polygon with holes is
 * all its rings together, and so are polygons that share no area.
 */
export function polygonMask(rings: readonly PixelRing[], widthPx: number, heightPx: number): Uint8Array {
  const crossings: number[][] = Array.from({ length: heightPx }, () => []);
  for (const ring of rings) {
    const count = ring.length / 2;
    for (let i = 0; i < count; i += 1) {
      const j = i + 1 === count ? 0 : i + 1;
      addCrossings(ring[2 * i]!, ring[2 * i + 1]!, ring[2 * j]!, ring[2 * j + 1]!, crossings);
    }
  }
  const mask = new Uint8Array(widthPx * heightPx);
  for (const [row, line] of crossings.entries()) {
    line.sort((a, b) => a - b);
    for (let i = 0; i + 1 < line.length; i += 2) {
      const from = Math.max(0, Math.ceil(line[i]! - 0.5));
      const to = Math.min(widthPx, Math.ceil(line[i + 1]! - 0.5));
      if (to > from) mask.fill(255, row * widthPx + from, row * widthPx + to);
    }
  }
  return mask;
}

/** Where an edge meets the centre lines of rows; half-open, so that a corner on a line counts once. */
function addCrossings(x1: number, y1: number, x2: number, y2: number, crossings: readonly number[][]): void {
  if (y1 === y2) return;
  const [topX, top, bottomX, bottom] = y1 < y2 ? [x1, y1, x2, y2] : [x2, y2, x1, y1];
  const first = Math.max(0, Math.ceil(top - 0.5));
  const last = Math.min(crossings.length, Math.ceil(bottom - 0.5));
  for (let row = first; row < last; row += 1) {
    crossings[row]!.push(topX + ((row + 0.5 - top) / (bottom - top)) * (bottomX - topX));
  }
}
