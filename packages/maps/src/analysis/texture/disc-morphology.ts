const FAR = 1 << 20;

/** Columns to the nearest set pixel of the same row. */
function distancesInRows(mask: Uint8Array, columns: number, rows: number): Int32Array {
  const distances = new Int32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let distance = FAR;
    for (let i = start; i < start + columns; i++) {
      distance = mask[i] === 1 ? 0 : distance + 1;
      distances[i] = distance;
    }
    distance = FAR;
    for (let i = start + columns - 1; i >= start; i--) {
      distance = mask[i] === 1 ? 0 : distance + 1;
      if (distance < distances[i]!) distances[i] = distance;
    }
  }
  return distances;
}

/** 1 where a set pixel lies within `radius` pixels. */
export function dilatedByDisc(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0 || !mask.includes(1)) return mask.slice();
  const distances = distancesInRows(mask, columns, rows);
  const grown = new Uint8Array(mask.length);
  for (let dy = -Math.floor(radius); dy <= radius; dy++) {
    const reach = Math.floor(Math.sqrt(radius ** 2 - dy ** 2));
    const shift = dy * columns;
    for (let row = Math.max(0, -dy); row < Math.min(rows, rows - dy); row++) {
      for (let i = row * columns; i < (row + 1) * columns; i++) if (distances[i + shift]! <= reach) grown[i] = 1;
    }
  }
  return grown;
}

/** 1 where all pixels within `radius` pixels are set. Pixels outside the plane do not count. */
export function erodedByDisc(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0) return mask.slice();
  const unset = mask.map((value) => 1 - value);
  return dilatedByDisc(unset, columns, rows, radius).map((value) => 1 - value);
}

/** 1 within `outline` pixels of the discs of set pixels whose radius is `core`; objects smaller than the disc have none. */
export function aroundDiscs(
  mask: Uint8Array,
  columns: number,
  rows: number,
  { core, outline }: { readonly core: number; readonly outline: number },
): Uint8Array {
  return dilatedByDisc(erodedByDisc(mask, columns, rows, core), columns, rows, core + outline);
}
