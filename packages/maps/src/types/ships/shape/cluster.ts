/** Pixels that may belong to one ship, as positions in the block, the brightest first known. */
export interface Cluster {
  /** Positions in the block, in the order of rows. */
  readonly members: Int32Array;
  /** Position of the largest strength. */
  readonly peak: number;
}

export interface ClusterOptions {
  /** Pixels that may lie between two of one cluster. */
  readonly gapPx: number;
  /** How far from a certain pixel doubtful ones are followed. */
  readonly reachPx: number;
  /** Members weaker than this share of the cluster's peak are side lobes or wake, not hull. */
  readonly leastOfPeak: number;
}

/**
 * Gathers pixels into clusters with hysteresis: doubtful pixels count where they connect to certain ones. What is weaker
 * than a share of the peak is cut off again, and each remaining part with a certain pixel is a cluster.
 *
 * @param certain 1 at detections
 * @param doubtful 1 where a pixel stands out a little
 * @param strength what peaks are taken of
 */
export function clusters(
  certain: Uint8Array,
  doubtful: Uint8Array,
  strength: Float32Array,
  columns: number,
  { gapPx, reachPx, leastOfPeak }: ClusterOptions,
): readonly Cluster[] {
  const state = new Uint8Array(certain.length);
  const found: Cluster[] = [];
  for (let seed = 0; seed < certain.length; seed++) {
    if (certain[seed] === 0 || state[seed] !== 0) continue;
    const grown = flood(seed, state, GROWN, columns, reachPx, (from, to, distance) =>
      certain[to] !== 0
        ? distance <= gapPx + 1
        : doubtful[to] !== 0 && distance <= 1 && (certain[from] !== 0 || doubtful[from] !== 0),
    );
    let peak = 0;
    for (const i of grown) peak = Math.max(peak, strength[i]!);
    const least = peak * leastOfPeak;
    for (const i of grown) {
      if (certain[i] === 0 || state[i] !== GROWN || strength[i]! < least) continue;
      const part = flood(
        i,
        state,
        TAKEN,
        columns,
        Infinity,
        (_, to, distance) =>
          state[to] === GROWN && strength[to]! >= least && distance <= (certain[to] !== 0 ? gapPx + 1 : 1),
      );
      part.sort();
      let brightest = part[0]!;
      for (const member of part) if (strength[member]! > strength[brightest]!) brightest = member;
      found.push({ members: part, peak: brightest });
    }
  }
  return found;

  function flood(
    start: number,
    marks: Uint8Array,
    mark: number,
    width: number,
    reach: number,
    joins: (from: number, to: number, distance: number) => boolean,
  ): Int32Array {
    const rows = marks.length / width;
    const from = marks[start]!;
    marks[start] = mark;
    const queue = [start];
    // Pixels that a doubtful one may still be from the last certain one on its way.
    const left = [reach];
    for (let read = 0; read < queue.length; read++) {
      const at = queue[read]!;
      const row = Math.floor(at / width);
      const column = at - row * width;
      for (let dy = -gapPx - 1; dy <= gapPx + 1; dy++) {
        if (row + dy < 0 || row + dy >= rows) continue;
        for (let dx = -gapPx - 1; dx <= gapPx + 1; dx++) {
          if (column + dx < 0 || column + dx >= width) continue;
          const to = at + dy * width + dx;
          if (marks[to] !== from || !joins(at, to, Math.max(Math.abs(dx), Math.abs(dy)))) continue;
          const steps = certain[to] !== 0 ? reach : left[read]! - 1;
          if (steps <= 0) continue;
          marks[to] = mark;
          queue.push(to);
          left.push(steps);
        }
      }
    }
    return Int32Array.from(queue);
  }
}

const GROWN = 1;
const TAKEN = 2;
