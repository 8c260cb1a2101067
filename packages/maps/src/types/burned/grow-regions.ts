/**
 * Set pixels and those that are joined to them through pixels that may be: by sides or corners, in at most `reachPx` steps.
 *
 * @param seeds 1 where growth begins
 * @param passable above 0 where it may go
 * @param reachPx steps; what lies farther from a pixel than this does not decide about it
 */
export function grownRegions(
  seeds: Uint8Array,
  passable: Uint8Array,
  columns: number,
  reachPx = Number.POSITIVE_INFINITY,
): Uint8Array {
  const rows = seeds.length / columns;
  const grown = seeds.slice();
  const queue = new Int32Array(seeds.length);
  let filled = 0;
  for (let i = 0; i < grown.length; i++) if (grown[i] === 1) queue[filled++] = i;
  let read = 0;
  for (let step = 0; step < reachPx && read < filled; step++) {
    const ring = filled;
    for (; read < ring; read++) {
      const at = queue[read]!;
      const row = Math.floor(at / columns);
      const column = at - row * columns;
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          const other = y * columns + x;
          if (passable[other] === 0 || grown[other] === 1) continue;
          grown[other] = 1;
          queue[filled++] = other;
        }
      }
    }
  }
  return grown;
}
