/**
 * Whether a group of pixels reaches the end of the sea: land, its shore or the edge of the data. Piers and walls are no
 * ships, and a ship that the edge cuts has no length.
 *
 * @param members positions in the block
 * @param sea 1 where ships are searched
 */
export function isAttached(members: Int32Array, sea: Uint8Array, columns: number): boolean {
  const rows = sea.length / columns;
  return members.some((i) => {
    const row = Math.floor(i / columns);
    const column = i - row * columns;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        if (sea[y * columns + x] === 0) return true;
      }
    }
    return false;
  });
}
