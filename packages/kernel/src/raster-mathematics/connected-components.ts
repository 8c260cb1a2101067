/** Groups of touching pixels. */
export interface Components {
  /** 0 for pixels of no group, else 1 and up, in the order in which rows first meet them. */
  readonly labels: Int32Array;
  readonly count: number;
}

/**
 * Labels groups of set pixels that touch by sides or corners, or lie within a gap of each other.
 *
 * @param set one byte per pixel, not 0 where set
 * @param gapPx pixels that may lie between two of one group; 0 for plain 8-connectivity
 */
export function connectedComponents(set: Uint8Array, columns: number, rows: number, gapPx = 0): Components {
  const reach = gapPx + 1;
  const labels = new Int32Array(columns * rows);
  const queue = new Int32Array(columns * rows);
  let count = 0;
  for (let start = 0; start < set.length; start++) {
    if (set[start] === 0 || labels[start] !== 0) continue;
    count++;
    labels[start] = count;
    queue[0] = start;
    let filled = 1;
    for (let read = 0; read < filled; read++) {
      const at = queue[read]!;
      const row = Math.floor(at / columns);
      const column = at - row * columns;
      const left = Math.max(0, column - reach);
      const right = Math.min(columns - 1, column + reach);
      const bottom = Math.min(rows - 1, row + reach);
      for (let y = Math.max(0, row - reach); y <= bottom; y++) {
        for (let i = y * columns + left; i <= y * columns + right; i++) {
          if (set[i] === 0 || labels[i] !== 0) continue;
          labels[i] = count;
          queue[filled++] = i;
        }
      }
    }
  }
  return { labels, count };
}

/** Pixels of every group: `members[l - 1]` are the positions of label l, in row-major order. */
export function componentMembers({ labels, count }: Components): readonly Int32Array[] {
  const sizes = new Int32Array(count);
  for (const label of labels) if (label !== 0) sizes[label - 1]!++;
  const members = Array.from(sizes, (size) => new Int32Array(size));
  const filled = new Int32Array(count);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label !== 0) members[label - 1]![filled[label - 1]!++] = i;
  }
  return members;
}
