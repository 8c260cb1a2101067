/** A closed outline in pixels; the first point need not be repeated. */
export type PixelRing = readonly (readonly [column: number, row: number])[];

/**
 * Marks pixels whose centre lies inside the rings by the even-odd rule, so that rings inside rings are holes.
 *
 * @returns one byte per pixel, row-major: 1 inside, 0 outside
 */
export function fillRings(rings: readonly PixelRing[], columns: number, rows: number): Uint8Array {
  const filled = new Uint8Array(columns * rows);
  const crossings: number[][] = Array.from({ length: rows }, () => []);
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const [a, b] = [ring[i]!, ring[(i + 1) % ring.length]!];
      if (a[1] === b[1]) continue;
      // Always downwards: two outlines that share an edge then meet rows at the very same places.
      const [[x0, y0], [x1, y1]] = a[1] < b[1] ? [a, b] : [b, a];
      // Centres are at half rows; an edge meets those in [min, max).
      const first = Math.max(0, Math.ceil(y0 - 0.5));
      const last = Math.min(rows - 1, Math.ceil(y1 - 0.5) - 1);
      const slope = (x1 - x0) / (y1 - y0);
      for (let row = first; row <= last; row++) crossings[row]!.push(x0 + (row + 0.5 - y0) * slope);
    }
  }
  for (const [row, line] of crossings.entries()) {
    line.sort((a, b) => a - b);
    for (let i = 0; i + 1 < line.length; i += 2) {
      const from = Math.max(0, Math.ceil(line[i]! - 0.5));
      const to = Math.min(columns, Math.ceil(line[i + 1]! - 0.5));
      if (to > from) filled.fill(1, row * columns + from, row * columns + to);
    }
  }
  return filled;
}
