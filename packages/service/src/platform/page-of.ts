/**
 * One page of rows that were read with one more than `limit`, and the cursor behind it; null behind the last page.
 *
 * @param cursorOf the cursor behind a row
 */
export function pageOf<Row, Item, Cursor>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (last: Row) => Cursor,
): { results: Item[]; cursor: Cursor | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    results: page.map((row) => toItem(row)),
    cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}
