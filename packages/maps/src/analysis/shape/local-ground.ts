/** Every so many pixels of a window are looked at: medians of some hundred values are stable to a few per cent. */
const MAX_SAMPLES = 400;

/**
 * What lies around objects that are small and cover less than half of the ground: the median of a square window, worked
 * out on a lattice and interpolated between. The lattice is that of the grid, so that blocks agree.
 *
 * @param stepPx distance of lattice points
 * @param radiusPx half side of the windows
 * @param origin grid coordinates of the first pixel
 */
export function localMedian(
  plane: Float32Array,
  columns: number,
  rows: number,
  stepPx: number,
  radiusPx: number,
  origin: { readonly column: number; readonly row: number },
): Float32Array {
  const firstColumn = -mod(origin.column, stepPx);
  const firstRow = -mod(origin.row, stepPx);
  const across = Math.ceil((columns - firstColumn) / stepPx) + 1;
  const down = Math.ceil((rows - firstRow) / stepPx) + 1;
  const stride = Math.max(1, Math.floor((2 * radiusPx + 1) / Math.sqrt(MAX_SAMPLES)));
  const lattice = new Float32Array(across * down);
  const samples = new Float32Array((Math.ceil((2 * radiusPx + 1) / stride) + 1) ** 2);
  for (let j = 0; j < down; j++) {
    const y = firstRow + j * stepPx;
    for (let i = 0; i < across; i++) {
      const x = firstColumn + i * stepPx;
      let count = 0;
      for (let row = y - radiusPx; row <= y + radiusPx; row += stride) {
        if (row < 0 || row >= rows) continue;
        for (let column = x - radiusPx; column <= x + radiusPx; column += stride) {
          if (column < 0 || column >= columns) continue;
          const value = plane[row * columns + column]!;
          if (value === value) samples[count++] = value;
        }
      }
      lattice[j * across + i] = count === 0 ? Number.NaN : medianOf(samples, count);
    }
  }
  const ground = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const v = (row - firstRow) / stepPx;
    const j = Math.floor(v);
    const fy = v - j;
    for (let column = 0; column < columns; column++) {
      const u = (column - firstColumn) / stepPx;
      const i = Math.floor(u);
      ground[row * columns + column] = blend(lattice, across, i, j, u - i, fy);
    }
  }
  return ground;
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Bilinear over the points that are known. */
function blend(lattice: Float32Array, across: number, i: number, j: number, fx: number, fy: number): number {
  const at = j * across + i;
  let sum = 0;
  let weights = 0;
  for (let k = 0; k < 4; k++) {
    const right = k & 1;
    const below = k >> 1;
    const weight = (right === 1 ? fx : 1 - fx) * (below === 1 ? fy : 1 - fy);
    const value = lattice[at + below * across + right];
    if (weight === 0 || value === undefined || value !== value) continue;
    sum += weight * value;
    weights += weight;
  }
  return weights === 0 ? Number.NaN : sum / weights;
}

/** The lower median of the first `count` values, which are reordered. */
function medianOf(values: Float32Array, count: number): number {
  const wanted = (count - 1) >> 1;
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = values[(left + right) >> 1]!;
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) {
        const swapped = values[i]!;
        values[i] = values[j]!;
        values[j] = swapped;
        i++;
        j--;
      }
    }
    if (wanted <= j) right = j;
    else if (wanted >= i) left = i;
    else break;
  }
  return values[wanted]!;
}
