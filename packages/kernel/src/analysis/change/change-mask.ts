import { componentMembers, connectedComponents } from "../../raster/connected-components.ts";

/**
 * Erosion and dilation with 3 x 3 pixels: what is narrower than three pixels vanishes. Invalid pixels neither keep nor
 * make a change.
 *
 * @param set 1 where changed @param valid 1 where judged
 */
export function openedMask(set: Uint8Array, valid: Uint8Array, columns: number, rows: number): Uint8Array {
  const eroded = new Uint8Array(set.length);
  const opened = new Uint8Array(set.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (set[at] === 1 && neighbours(at, column, row, columns, rows, (i) => set[i] === 1 || valid[i] === 0)) {
        eroded[at] = 1;
      }
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (valid[at] === 1 && !neighbours(at, column, row, columns, rows, (i) => eroded[i] === 0)) opened[at] = 1;
    }
  }
  return opened;
}

/** Whether a test holds for a pixel and the up to eight around it. */
function neighbours(
  at: number,
  column: number,
  row: number,
  columns: number,
  rows: number,
  holds: (at: number) => boolean,
): boolean {
  for (let dy = row === 0 ? 0 : -1; dy <= (row === rows - 1 ? 0 : 1); dy++) {
    for (let dx = column === 0 ? 0 : -1; dx <= (column === columns - 1 ? 0 : 1); dx++) {
      if (!holds(at + dy * columns + dx)) return false;
    }
  }
  return true;
}

/** Without groups of fewer pixels than the minimum mapping unit. */
export function withoutSmallGroups(set: Uint8Array, columns: number, rows: number, minPixels: number): Uint8Array {
  const kept = new Uint8Array(set.length);
  for (const members of componentMembers(connectedComponents(set, columns, rows))) {
    if (members.length >= minPixels) for (const member of members) kept[member] = 1;
  }
  return kept;
}
