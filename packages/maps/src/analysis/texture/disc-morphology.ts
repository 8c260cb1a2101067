import { zeroBytes } from "./texture-kernel.ts";

/** The longest distance that is kept, pixels: no disc reaches so far. */
const FAR = 255;

/** Columns to the nearest pixel of the same row whose value is `wanted`, at most FAR. */
function distancesInRows(mask: Uint8Array, columns: number, rows: number, wanted: 0 | 1): Uint8Array {
  const distances = zeroBytes(columns * rows);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    // All are of the wanted value: their distance is 0.
    if (!mask.subarray(start, start + columns).includes(1 - wanted)) continue;
    let distance = FAR;
    for (let i = start; i < start + columns; i++) {
      distance = mask[i] === wanted ? 0 : Math.min(FAR, distance + 1);
      distances[i] = distance;
    }
    distance = FAR;
    for (let i = start + columns - 1; i >= start; i--) {
      distance = mask[i] === wanted ? 0 : Math.min(FAR, distance + 1);
      if (distance < distances[i]!) distances[i] = distance;
    }
  }
  return distances;
}

/** Columns of the first and the last set pixel of each row; -1 in rows without one. */
function boundsOfRows(mask: Uint8Array, columns: number, rows: number): { first: Int32Array; last: Int32Array } {
  const first = new Int32Array(rows).fill(-1);
  const last = new Int32Array(rows).fill(-1);
  for (let row = 0; row < rows; row++) {
    const line = mask.subarray(row * columns, (row + 1) * columns);
    first[row] = line.indexOf(1);
    last[row] = line.lastIndexOf(1);
  }
  return { first, last };
}

/** 1 where a set pixel lies within `radius` pixels. @param radius below 255 */
export function dilatedByDisc(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0 || !mask.includes(1)) return mask.slice();
  const distances = distancesInRows(mask, columns, rows, 1);
  const { first, last } = boundsOfRows(mask, columns, rows);
  const grown = zeroBytes(mask.length);
  for (let dy = -Math.floor(radius); dy <= radius; dy++) {
    const reach = Math.floor(Math.sqrt(radius ** 2 - dy ** 2));
    const shift = dy * columns;
    for (let row = Math.max(0, -dy); row < Math.min(rows, rows - dy); row++) {
      const left = first[row + dy]!;
      if (left < 0) continue;
      const from = row * columns + Math.max(0, left - reach);
      const to = row * columns + Math.min(columns - 1, last[row + dy]! + reach);
      for (let i = from; i <= to; i++) if (distances[i + shift]! <= reach) grown[i] = 1;
    }
  }
  return grown;
}

/** 1 where all pixels within `radius` pixels are set. Pixels outside the plane do not count. @param radius below 255 */
export function erodedByDisc(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0) return mask.slice();
  const distances = distancesInRows(mask, columns, rows, 0);
  const most = Math.floor(radius);
  const reaches = Int32Array.from({ length: 2 * most + 1 }, (_, i) =>
    Math.floor(Math.sqrt(radius ** 2 - (i - most) ** 2)),
  );
  const left = zeroBytes(mask.length);
  for (let row = 0; row < rows; row++) {
    const above = Math.max(-most, -row);
    const below = Math.min(most, rows - 1 - row);
    if (!mask.subarray(row * columns, (row + 1) * columns).includes(1)) continue;
    for (let i = row * columns; i < (row + 1) * columns; i++) {
      // Few pixels have set ones on both sides; the others need no look at other rows.
      if (distances[i]! <= most) continue;
      let dy = above;
      while (dy <= below && distances[i + dy * columns]! > reaches[dy + most]!) dy++;
      if (dy > below) left[i] = 1;
    }
  }
  return left;
}
