/** Sets the pixels whose middle lies in a convex polygon. */
export function fillBox(
  layer: Uint8Array,
  columns: number,
  rows: number,
  corners: readonly (readonly [column: number, row: number])[],
  value: number,
): void {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of corners) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  for (let row = Math.max(0, Math.floor(top)); row < Math.min(rows, Math.ceil(bottom)); row++) {
    for (let column = Math.max(0, Math.floor(left)); column < Math.min(columns, Math.ceil(right)); column++) {
      if (isInside(corners, column + 0.5, row + 0.5)) layer[row * columns + column] = value;
    }
  }
}

function isInside(corners: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let sign = 0;
  for (const [k, [x0, y0]] of corners.entries()) {
    const [x1, y1] = corners[(k + 1) % corners.length]!;
    const side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    if (side === 0) continue;
    if (sign !== 0 && side > 0 !== sign > 0) return false;
    sign = side;
  }
  return true;
}
