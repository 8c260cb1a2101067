/**
 * How many set pixels lie in the square of `2 * radius + 1` around each pixel; outside of the plane nothing is set.
 *
 * @param mask 1 where set
 */
export function countAround(mask: Uint8Array, columns: number, rows: number, radius: number): Int32Array {
  const counts = new Int32Array(columns * rows);
  const line = new Int32Array(columns);
  for (let row = 0; row < Math.min(radius, rows); row++) moveDown(line, mask, row * columns, -1);
  for (let row = 0; row < rows; row++) {
    const enters = row + radius < rows ? (row + radius) * columns : -1;
    const leaves = row > radius ? (row - radius - 1) * columns : -1;
    moveDown(line, mask, enters, leaves);
    const here = row * columns;
    let sum = 0;
    for (let column = 0; column < Math.min(radius, columns); column++) sum += line[column]!;
    for (let column = 0; column < columns; column++) {
      if (column + radius < columns) sum += line[column + radius]!;
      if (column > radius) sum -= line[column - radius - 1]!;
      counts[here + column] = sum;
    }
  }
  return counts;
}

/** @param enters where the row that is added begins @param leaves where the one begins that is taken off; -1 for none */
function moveDown(line: Int32Array, mask: Uint8Array, enters: number, leaves: number): void {
  const columns = line.length;
  if (enters >= 0 && leaves >= 0) {
    for (let column = 0; column < columns; column++) line[column]! += mask[enters + column]! - mask[leaves + column]!;
  } else if (enters >= 0) {
    for (let column = 0; column < columns; column++) line[column]! += mask[enters + column]!;
  } else if (leaves >= 0) {
    for (let column = 0; column < columns; column++) line[column]! -= mask[leaves + column]!;
  }
}

/** 1 where any pixel of the square of `2 * radius + 1` around is set. */
export function dilated(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0) return mask.slice();
  const counts = countAround(mask, columns, rows, radius);
  const grown = new Uint8Array(mask.length);
  for (let i = 0; i < grown.length; i++) grown[i] = counts[i]! > 0 ? 1 : 0;
  return grown;
}

/** 1 where all pixels of the square around are set; what lies outside the plane does not count. */
export function eroded(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0) return mask.slice();
  const counts = countAround(mask, columns, rows, radius);
  const kept = new Uint8Array(mask.length);
  for (let row = 0; row < rows; row++) {
    const height = Math.min(rows, row + radius + 1) - Math.max(0, row - radius);
    for (let column = 0; column < columns; column++) {
      const width = Math.min(columns, column + radius + 1) - Math.max(0, column - radius);
      const i = row * columns + column;
      if (counts[i] === width * height) kept[i] = 1;
    }
  }
  return kept;
}

/** What of the mask is covered by whole squares of set pixels: narrower and smaller parts go. */
export function opened(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  const kept = eroded(mask, columns, rows, radius);
  return kept.includes(1) ? dilated(kept, columns, rows, radius) : kept;
}
