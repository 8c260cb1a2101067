/**
 * Whether a group of pixels goes on where the sea ends: at land, at its shore or at the edge of the data. Piers, walls and
 * objects that the edge cuts are no ships that could be measured.
 *
 * @param members positions in the block
 * @param gapPx pixels that may lie between
 */
export function isAttached(members: Int32Array, sea: Uint8Array, columns: number, gapPx: number): boolean {
  const rows = sea.length / columns;
  const reach = gapPx + 1;
  return members.some((i) => {
    const row = Math.floor(i / columns);
    const column = i - row * columns;
    for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y++) {
      for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x++) {
        if (sea[y * columns + x] === 0) return true;
      }
    }
    return false;
  });
}
