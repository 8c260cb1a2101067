import type { Cluster } from "../shape/cluster.ts";

/** Objects within this distance of each other form a group. */
const REACH_M = 300;
/** Members of a group besides the one that is asked. */
const MIN_OTHERS = 2;
/** Weaker than this share of it, 15 dB, may be its own side lobes or wake. */
const LEAST_SHARE = 0.03;

/**
 * Which clusters near the shore stand in a group of others as bright: cranes, stacks of containers, sheds and moles that
 * coastlines do not know. Ships under way or at anchor there keep further apart.
 *
 * @param strength what the peaks of the clusters are compared in
 * @param nearShore 1 near land
 * @returns whether, in the order of the clusters
 */
export function inQuayGroups(
  clusters: readonly Cluster[],
  strength: Float32Array,
  nearShore: Uint8Array,
  columns: number,
  pixelM: number,
): readonly boolean[] {
  const reachPx = REACH_M / pixelM;
  const peaks = clusters.map(({ peak }) => ({
    column: peak % columns,
    row: Math.floor(peak / columns),
    strength: strength[peak]!,
    isNear: nearShore[peak] !== 0,
  }));
  const byRow = peaks.toSorted((a, b) => a.row - b.row);
  return peaks.map((own) => {
    if (!own.isNear) return false;
    let others = 0;
    for (let at = firstFrom(byRow, own.row - reachPx); at < byRow.length; at++) {
      const other = byRow[at]!;
      if (other.row > own.row + reachPx || others >= MIN_OTHERS) break;
      if (other === own || other.strength < LEAST_SHARE * own.strength) continue;
      if (Math.hypot(other.column - own.column, other.row - own.row) <= reachPx) others++;
    }
    return others >= MIN_OTHERS;
  });
}

/** Index of the first peak in a row from `row` on. */
function firstFrom(byRow: readonly { readonly row: number }[], row: number): number {
  let [low, high] = [0, byRow.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byRow[middle]!.row < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
