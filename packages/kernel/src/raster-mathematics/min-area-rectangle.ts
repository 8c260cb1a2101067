import { convexHull } from "../geometry/convex-hull.ts";

/** A rectangle of any direction, in pixels. */
export interface OrientedRectangle {
  readonly centre: readonly [column: number, row: number];
  /** In order around the rectangle. */
  readonly corners: readonly [
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
  ];
  /** The longer and the shorter side. */
  readonly lengthPx: number;
  readonly widthPx: number;
  /** Direction of the longer side from the column axis towards the row axis, -90 to 90 degrees. */
  readonly angleDeg: number;
}

/**
 * The rectangle of least area around points, which has a side along an edge of their convex hull (Freeman and Shapira
 * 1975). A single point gives a rectangle of no size.
 *
 * @param points at least one
 */
export function minAreaRectangle(points: readonly (readonly [column: number, row: number])[]): OrientedRectangle {
  const outline = convexHull(points);
  const hull = outline.length === 0 ? points.slice(0, 1) : outline;
  const [first] = hull;
  if (first === undefined) throw new RangeError("a rectangle needs at least one point");
  let best: { readonly area: number; readonly rectangle: OrientedRectangle } | null = null;
  for (let i = 0; i < Math.max(1, hull.length); i++) {
    const a = hull[i]!;
    const b = hull[(i + 1) % hull.length]!;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const axis = length === 0 ? ([1, 0] as const) : ([(b[0] - a[0]) / length, (b[1] - a[1]) / length] as const);
    const rectangle = alongAxis(hull, axis);
    const area = rectangle.lengthPx * rectangle.widthPx;
    if (best === null || area < best.area - 1e-9) best = { area, rectangle };
  }
  return best!.rectangle;
}

/** The rectangle around whole pixels: their corners count, not their centres. */
export function pixelsRectangle(members: ArrayLike<number>, columns: number): OrientedRectangle {
  // The outermost corners of each row are enough for the hull.
  const rows = new Map<number, [left: number, right: number]>();
  for (let i = 0; i < members.length; i++) {
    const row = Math.floor(members[i]! / columns);
    const column = members[i]! - row * columns;
    const span = rows.get(row);
    if (span === undefined) rows.set(row, [column, column]);
    else {
      span[0] = Math.min(span[0], column);
      span[1] = Math.max(span[1], column);
    }
  }
  const corners: (readonly [number, number])[] = [];
  for (const [row, [left, right]] of rows) {
    corners.push([left, row], [left, row + 1], [right + 1, row], [right + 1, row + 1]);
  }
  return minAreaRectangle(corners);
}

function alongAxis(
  hull: readonly (readonly [number, number])[],
  [ux, uy]: readonly [number, number],
): OrientedRectangle {
  let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of hull) {
    const u = x * ux + y * uy;
    const v = -x * uy + y * ux;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }
  const at = (u: number, v: number): readonly [number, number] => [u * ux - v * uy, u * uy + v * ux];
  const along = maxU - minU;
  const across = maxV - minV;
  const [dx, dy] = along >= across ? [ux, uy] : [-uy, ux];
  let angleDeg = (Math.atan2(dy, dx) * 180) / Math.PI;
  if (angleDeg > 90) angleDeg -= 180;
  else if (angleDeg <= -90) angleDeg += 180;
  return {
    centre: at((minU + maxU) / 2, (minV + maxV) / 2),
    corners: [at(minU, minV), at(maxU, minV), at(maxU, maxV), at(minU, maxV)],
    lengthPx: Math.max(along, across),
    widthPx: Math.min(along, across),
    angleDeg,
  };
}
