/** Marks pixels that were asked for and do not pass, while growth runs. */
const FAR = 255;

/**
 * Adds pixels that pass and touch the front by sides or corners, a bounded number of times, in place.
 *
 * @param mask 1 for the pixels of the front and all grown before; grown pixels become 1
 * @returns all pixels reached, the first front included
 */
export function grown(
  first: readonly number[],
  steps: number,
  mask: Uint8Array,
  columns: number,
  passes: (i: number) => boolean,
): number[] {
  const rows = mask.length / columns;
  const all = [...first];
  const refused: number[] = [];
  let front = first;
  for (let step = 0; step < steps && front.length > 0; step++) {
    const next: number[] = [];
    for (const at of front) {
      const row = Math.floor(at / columns);
      const column = at - row * columns;
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          const i = y * columns + x;
          if (mask[i] !== 0) continue;
          if (!passes(i)) {
            mask[i] = FAR;
            refused.push(i);
            continue;
          }
          mask[i] = 1;
          next.push(i);
        }
      }
    }
    for (const i of next) all.push(i);
    front = next;
  }
  for (const i of refused) mask[i] = 0;
  return all;
}
