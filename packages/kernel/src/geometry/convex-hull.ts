type Place = readonly [x: number, y: number];

/** Vertices of the convex hull of places on a plane, counter-clockwise, not closed (monotone chain). */
export function convexHull(places: readonly Place[]): readonly Place[] {
  const sorted = places.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

function chain(ordered: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const next of ordered) {
    for (;;) {
      const b = kept.at(-1);
      const a = kept.at(-2);
      if (a === undefined || b === undefined) break;
      if ((b[0] - a[0]) * (next[1] - a[1]) - (b[1] - a[1]) * (next[0] - a[0]) > 0) break;
      kept.pop();
    }
    kept.push(next);
  }
  return kept.slice(0, -1);
}
