import { TextureCall, zeroBytes } from "../texture/texture-kernel.ts";
import type { Forest } from "./forest.ts";

/** Trees that are asked before anything is decided, and how many at a time. */
const FIRST_TREES = 8;
const TREES_AT_A_TIME = 4;
/** A lead of more than 2.58 standard deviations of undecided votes, 1 in 100, is not asked about further. */
const DECIDED = 2.58 ** 2;

/**
 * Share of votes of each class for the wanted pixels, in 255ths: `shares[c]` is a plane. Trees are asked in groups, and
 * no more of them once the lead of the first class over the second is beyond chance or beyond what the rest could change.
 *
 * @param planes one plane per feature
 * @param wanted 1 for pixels to predict; others stay 0
 */
export function predictPlanes(
  forest: Forest,
  planes: readonly Int16Array[],
  wanted: Uint8Array,
  columns: number,
): readonly Uint8Array[] {
  const { classCount, featureCount, nodes, roots } = forest;
  const trees = roots.length;
  const shares = Array.from({ length: classCount }, () => zeroBytes(wanted.length));
  const rows = wanted.length / columns;
  const call = new TextureCall();
  const { vote } = call.kernel;
  const [nodesAt, rootsAt] = [call.put(nodes), call.put(roots)];
  const [featuresAt, activeAt] = [call.plane(columns * featureCount), call.lines(4 * columns)];
  const votesAt = call.lines(columns * classCount);
  const { buffer } = call.view(votesAt, 1);
  const features = new Int16Array(buffer, featuresAt, columns * featureCount);
  const votes = new Uint8Array(buffer, votesAt, columns * classCount);
  const active = new Int32Array(buffer, activeAt, columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let left = 0;
    for (let column = 0; column < columns; column++) if (wanted[start + column] === 1) active[left++] = column;
    if (left === 0) continue;
    votes.fill(0);
    for (let f = 0; f < featureCount; f++) {
      const plane = planes[f]!;
      for (let a = 0; a < left; a++) features[active[a]! * featureCount + f] = plane[start + active[a]!]!;
    }
    let asked = 0;
    while (asked < trees && left > 0) {
      const until = Math.min(trees, asked + (asked === 0 ? FIRST_TREES : TREES_AT_A_TIME));
      vote(nodesAt, rootsAt, asked, until, featuresAt, featureCount, activeAt, left, votesAt, classCount);
      asked = until;
      let kept = 0;
      for (let a = 0; a < left; a++) {
        const column = active[a]!;
        let first = 0;
        let second = 0;
        for (let c = 0; c < classCount; c++) {
          const n = votes[column * classCount + c]!;
          if (n > first) {
            second = first;
            first = n;
          } else if (n > second) second = n;
        }
        const lead = first - second;
        if (asked < trees && lead <= trees - asked && lead * lead <= DECIDED * asked) {
          active[kept++] = column;
          continue;
        }
        for (let c = 0; c < classCount; c++) {
          shares[c]![start + column] = Math.round((255 * votes[column * classCount + c]!) / asked);
        }
      }
      left = kept;
    }
  }
  return shares;
}
