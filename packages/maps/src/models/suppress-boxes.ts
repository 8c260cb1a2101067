import { overlapShare, type Corners } from "./polygon-overlap.ts";

/** A convex outline of a class with a score. */
export interface ScoredBox {
  readonly className: string;
  readonly corners: Corners;
  readonly confidence: number;
}

/**
 * The best of boxes of one class that overlap by more than `iou`; classes do not compete. The order of the input does
 * not matter: equal scores are ordered by place.
 */
export function suppressBoxes<Box extends ScoredBox>(boxes: readonly Box[], iou: number): readonly Box[] {
  const reaches = boxes.map(({ corners }) => boundsOf(corners));
  const cell = Math.max(1, ...reaches.map(([left, top, right, bottom]) => Math.max(right - left, bottom - top)));
  const order = [...boxes.keys()].toSorted((a, b) => {
    const [one, other] = [boxes[a]!, boxes[b]!];
    return (
      other.confidence - one.confidence ||
      reaches[a]![1] - reaches[b]![1] ||
      reaches[a]![0] - reaches[b]![0] ||
      one.className.localeCompare(other.className)
    );
  });
  // No box is larger than a cell, so only neighbouring cells can hold what overlaps.
  const cells = new Map<string, Box[]>();
  const kept: Box[] = [];
  for (const index of order) {
    const box = boxes[index]!;
    const [left, top, right, bottom] = reaches[index]!;
    const i = Math.floor((left + right) / 2 / cell);
    const j = Math.floor((top + bottom) / 2 / cell);
    let isNew = true;
    for (let dj = -1; dj <= 1 && isNew; dj++) {
      for (let di = -1; di <= 1 && isNew; di++) {
        const others = cells.get(`${box.className} ${i + di} ${j + dj}`) ?? [];
        isNew = others.every((other) => overlapShare(box.corners, other.corners) <= iou);
      }
    }
    if (!isNew) continue;
    kept.push(box);
    const key = `${box.className} ${i} ${j}`;
    const list = cells.get(key);
    if (list === undefined) cells.set(key, [box]);
    else list.push(box);
  }
  return kept;
}

function boundsOf(corners: Corners): readonly [left: number, top: number, right: number, bottom: number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of corners) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return [left, top, right, bottom];
}
