export type Corners = readonly (readonly [x: number, y: number])[];

/** Area of a polygon, positive when it turns from the x axis to the y axis. */
export function signedArea(corners: Corners): number {
  let sum = 0;
  for (const [k, [x0, y0]] of corners.entries()) {
    const [x1, y1] = corners[(k + 1) % corners.length]!;
    sum += x0 * y1 - x1 * y0;
  }
  return sum / 2;
}

/** Area that two convex polygons have in common (Sutherland and Hodgman 1974). */
function commonArea(a: Corners, b: Corners): number {
  const clip = signedArea(b) >= 0 ? b : b.toReversed();
  let rest: Corners = a;
  for (const [k, [x0, y0]] of clip.entries()) {
    const [x1, y1] = clip[(k + 1) % clip.length]!;
    const sideOf = ([x, y]: readonly [number, number]): number => (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    const kept: (readonly [number, number])[] = [];
    for (const [i, point] of rest.entries()) {
      const next = rest[(i + 1) % rest.length]!;
      const here = sideOf(point);
      const there = sideOf(next);
      if (here >= 0) kept.push(point);
      if (here >= 0 !== there >= 0) {
        const share = here / (here - there);
        kept.push([point[0] + (next[0] - point[0]) * share, point[1] + (next[1] - point[1]) * share]);
      }
    }
    rest = kept;
    if (rest.length < 3) return 0;
  }
  return Math.abs(signedArea(rest));
}

/** Intersection over union of two convex polygons, 0 to 1. */
export function overlapShare(a: Corners, b: Corners): number {
  const common = commonArea(a, b);
  const union = Math.abs(signedArea(a)) + Math.abs(signedArea(b)) - common;
  return union > 0 ? common / union : 0;
}
