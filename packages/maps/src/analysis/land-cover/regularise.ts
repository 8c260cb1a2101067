/** Largest share: `predictPlanes` counts in 255ths. */
const WHOLE = 255;
/** A class without a vote is unlikely, not impossible: neighbours can still win. */
const FLOOR = 0.01;
/** Cost of each neighbour of another class, in the units of -ln(share): the Potts model with beta 1. */
const BETA = 1;

const COST = Float64Array.from({ length: WHOLE + 1 }, (_, share) => -Math.log(Math.max(FLOOR, share / WHOLE)));

/** Where the block lies in the grid: order of updates must not depend on it. */
export interface GridPlace {
  readonly column: number;
  readonly row: number;
}

/** Pixels that one sweep can carry a change: four groups, each of which looks one pixel around. */
export const REACH_PER_SWEEP_PX = 4;

/**
 * Iterated conditional modes (Besag 1986) of a Potts model over 8 neighbours, in place. Pixels are updated in four groups
 * of which none are neighbours, by their place in the grid, so that blocks agree where they overlap.
 *
 * @param labels class + 1 of each pixel; 0 for pixels that are no data, which do not count as neighbours
 * @param fixed 1 for pixels that keep their label
 * @param shares share of each class, in 255ths
 */
export function smoothLabels(
  labels: Uint8Array,
  fixed: Uint8Array,
  shares: readonly Uint8Array[],
  columns: number,
  place: GridPlace,
  sweeps: number,
): void {
  const rows = labels.length / columns;
  const classes = shares.length;
  const neighbours = new Int32Array(256);
  const mixed = borderPixels(labels, columns);
  for (let step = 0; step < 4 * sweeps; step++) {
    const firstRow = 1 + (((step >> 1) + place.row + 1) & 1);
    const firstColumn = 1 + ((step + place.column + 1) & 1);
    for (let row = firstRow; row < rows - 1; row += 2) {
      const last = (row + 1) * columns - 1;
      for (let i = row * columns + firstColumn; i < last; i += 2) {
        if (mixed[i] === 0 || fixed[i] === 1) continue;
        const label = labels[i]!;
        if (label === 0) continue;
        neighbours.fill(0, 0, classes + 2);
        neighbours[labels[i - columns - 1]!]!++;
        neighbours[labels[i - columns]!]!++;
        neighbours[labels[i - columns + 1]!]!++;
        neighbours[labels[i - 1]!]!++;
        neighbours[labels[i + 1]!]!++;
        neighbours[labels[i + columns - 1]!]!++;
        neighbours[labels[i + columns]!]!++;
        neighbours[labels[i + columns + 1]!]!++;
        // Whatever its shares are, a pixel among its like stays.
        if (neighbours[label] === 8) continue;
        let best = label;
        let least = Number.POSITIVE_INFINITY;
        for (let c = 0; c < classes; c++) {
          const cost = COST[shares[c]![i]!]! - BETA * neighbours[c + 1]!;
          if (cost < least) {
            least = cost;
            best = c + 1;
          }
        }
        if (best === label) continue;
        labels[i] = best;
        for (let above = i - columns - 1; above <= i + columns - 1; above += columns) mixed.fill(1, above, above + 3);
      }
    }
  }
}

/** 1 for pixels with a neighbour of another label. */
function borderPixels(labels: Uint8Array, columns: number): Uint8Array {
  const mixed = new Uint8Array(labels.length);
  const last = labels.length - columns;
  for (let start = 0; start <= last; start += columns) {
    const end = start + columns;
    markDifferent(labels, mixed, start, end - 1, 1);
    if (start === last) break;
    markDifferent(labels, mixed, start, end, columns);
    markDifferent(labels, mixed, start, end - 1, columns + 1);
    markDifferent(labels, mixed, start + 1, end, columns - 1);
  }
  return mixed;
}

/** Marks both of two pixels `step` apart, the first within `[from, to)`, whose labels differ. */
function markDifferent(labels: Uint8Array, mixed: Uint8Array, from: number, to: number, step: number): void {
  for (let i = from; i < to; i++) {
    if (labels[i] === labels[i + step]) continue;
    mixed[i] = 1;
    mixed[i + step] = 1;
  }
}

/**
 * Gives groups of fewer than `minPixels` pixels of one label to the label that is most frequent around them. Groups touch
 * by sides or corners; each is judged by the labels as they were, so a pixel is certain once `minPixels + 1` pixels
 * around it are known.
 *
 * @param keep labels that are left as they are, whatever their size
 */
export function withoutSpecks(
  labels: Uint8Array,
  columns: number,
  minPixels: number,
  keep: ReadonlySet<number> = new Set(),
): Uint8Array {
  const rows = labels.length / columns;
  const result = labels.slice();
  const seen = new Int32Array(labels.length);
  const group = new Int32Array(minPixels + 1);
  const around = new Int32Array(256);
  for (let start = 0; start < labels.length; start++) {
    const label = labels[start]!;
    if (label === 0 || seen[start] !== 0 || keep.has(label)) continue;
    // All pixels of a small group are seen with its first, so one that is not seen beside one of its own is of a large group.
    const startColumn = start % columns;
    if (startColumn > 0 && labels[start - 1] === label) continue;
    if (start >= columns && labels[start - columns] === label) continue;
    group[0] = start;
    seen[start] = start + 1;
    let size = 1;
    for (let read = 0; read < size && size < minPixels; read++) {
      const at = group[read]!;
      const row = Math.floor(at / columns);
      const column = at - row * columns;
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1) && size < minPixels; y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1) && size < minPixels; x++) {
          const other = y * columns + x;
          if (labels[other] !== label || seen[other] === start + 1) continue;
          seen[other] = start + 1;
          group[size++] = other;
        }
      }
    }
    if (size >= minPixels) continue;
    around.fill(0);
    for (let member = 0; member < size; member++) {
      const at = group[member]!;
      const row = Math.floor(at / columns);
      const column = at - row * columns;
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          const other = labels[y * columns + x]!;
          if (other !== label) around[other]!++;
        }
      }
    }
    around[0] = 0;
    let most = 0;
    for (let other = 1; other < 256; other++) if (around[other]! > around[most]!) most = other;
    if (most === 0) continue;
    for (let member = 0; member < size; member++) result[group[member]!] = most;
  }
  return result;
}
