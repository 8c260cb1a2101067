/** Longer texts are no misspelt names, and comparing them costs time. */
const MAX_LENGTH = 64;

/**
 * The name that a misspelt one most likely means: equal but for case, `_` and `-`, or at most a third of its letters
 * away (insertions, deletions, replacements and swaps of neighbours, Damerau 1964). Null when none is near.
 *
 * @example nearestName("groupid", ["groupId", "userId"]) // "groupId"
 */
export function nearestName(text: string, names: Iterable<string>): string | null {
  if (text.length > MAX_LENGTH) return null;
  const wanted = plain(text);
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let nearest: string | null = null;
  let least = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - text.length) > most + 2 || name.length > MAX_LENGTH) continue;
    const distance = editDistance(wanted, plain(name));
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Restricted Damerau-Levenshtein distance, in time and memory of the product of the lengths. */
function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const cost = new Uint8Array((a.length + 1) * width);
  const at = (i: number, j: number): number => cost[i * width + j] ?? 0;
  for (let i = 0; i <= a.length; i += 1) cost[i * width] = i;
  for (let j = 0; j <= b.length; j += 1) cost[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      cost[i * width + j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped);
    }
  }
  return at(a.length, b.length);
}
