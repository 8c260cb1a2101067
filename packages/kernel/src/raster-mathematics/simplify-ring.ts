/** A point of the plane. */
export type PlanePoint = readonly [x: number, y: number];

/**
 * A closed ring with fewer vertices, none of the removed ones farther than `tolerance` from the new outline
 * (Douglas and Peucker 1973, on the two halves between a vertex and the vertex farthest from it).
 *
 * @param ring closed, at least four positions
 * @param tolerance in the unit of the coordinates; 0 removes only vertices on straight lines
 * @returns null when less than a triangle is left
 */
export function simplifyRing<P extends PlanePoint>(ring: readonly P[], tolerance: number): readonly P[] | null {
  const count = ring.length - 1;
  if (count < 3) return null;
  const anchor = extremeVertex(ring, count);
  const rotated = [...ring.slice(anchor, count), ...ring.slice(0, anchor)];
  rotated.push(rotated[0]!);
  const far = farthestFrom(rotated, rotated[0]!);
  const keep = new Uint8Array(rotated.length);
  keep[0] = 1;
  keep[far] = 1;
  keep[rotated.length - 1] = 1;
  const squared = tolerance * tolerance;
  const stack: (readonly [number, number])[] = [
    [0, far],
    [far, rotated.length - 1],
  ];
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const [first, last] = span;
    let worst = squared;
    let split = -1;
    for (let i = first + 1; i < last; i++) {
      const distance = squaredDistance(rotated[i]!, rotated[first]!, rotated[last]!);
      if (distance > worst) {
        worst = distance;
        split = i;
      }
    }
    if (split < 0) continue;
    keep[split] = 1;
    stack.push([first, split], [split, last]);
  }
  const simplified = rotated.filter((_, index) => keep[index] === 1);
  return simplified.length >= 4 ? simplified : null;
}

/** A vertex that every simplification should keep: the topmost, of those the leftmost. */
function extremeVertex(ring: readonly PlanePoint[], count: number): number {
  let best = 0;
  for (let i = 1; i < count; i++) {
    const [x, y] = ring[i]!;
    const [bestX, bestY] = ring[best]!;
    if (y < bestY || (y === bestY && x < bestX)) best = i;
  }
  return best;
}

function farthestFrom(points: readonly PlanePoint[], origin: PlanePoint): number {
  let best = 1;
  let bestDistance = -1;
  for (let i = 1; i < points.length - 1; i++) {
    const distance = (points[i]![0] - origin[0]) ** 2 + (points[i]![1] - origin[1]) ** 2;
    if (distance > bestDistance) {
      bestDistance = distance;
      best = i;
    }
  }
  return best;
}

/** Squared distance of a point from a segment. */
function squaredDistance(point: PlanePoint, start: PlanePoint, end: PlanePoint): number {
  const dx = end[0] - start[0];
  const dy = end[1] - start[1];
  const length = dx * dx + dy * dy;
  const along =
    length === 0 ? 0 : Math.min(Math.max(((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length, 0), 1);
  return (point[0] - start[0] - along * dx) ** 2 + (point[1] - start[1] - along * dy) ** 2;
}
