/** `x0, y0, x1, y1, …` in pixels from the top-left corner of a grid, y southwards; the first point may be repeated. */
export type PixelRing = Float64Array;

/** Its outline, then its holes. */
export type PixelPolygon = readonly PixelRing[];

/** Area inside a ring in pixels, negative when it winds the other way. */
export function ringAreaPx(ring: PixelRing): number {
  if (ring.length === 0) return 0;
  // Around the first point: products of large coordinates would lose their digits.
  const [originX, originY] = [ring[0]!, ring[1]!];
  let twice = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const [ax, ay] = [ring[i]! - originX, ring[i + 1]! - originY];
    const [bx, by] = [ring[i + 2]! - originX, ring[i + 3]! - originY];
    twice += ax * by - bx * ay;
  }
  return twice / 2;
}

/** Area of polygons without a common area in pixels, holes left out. */
export function polygonAreaPx(polygons: readonly PixelPolygon[]): number {
  let area = 0;
  for (const polygon of polygons) {
    for (const [index, ring] of polygon.entries()) area += Math.abs(ringAreaPx(ring)) * (index === 0 ? 1 : -1);
  }
  return area;
}
