/*
 * A ring is `[lon, lat, lon, lat, …]`, unwrapped, not closed.
 */

/** `[west, south, east, north]` */
export function boundsOfRing(ring: readonly number[]): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i] ?? 0;
    const lat = ring[i + 1] ?? 0;
    bounds[0] = Math.min(bounds[0], lon);
    bounds[1] = Math.min(bounds[1], lat);
    bounds[2] = Math.max(bounds[2], lon);
    bounds[3] = Math.max(bounds[3], lat);
  }
  return bounds;
}

/** Half-open, so that a place on a shared edge is in one cell. */
export function isInsideRing(ring: readonly number[], lonDeg: number, latDeg: number): boolean {
  let inside = false;
  let x1 = ring.at(-2) ?? 0;
  let y1 = ring.at(-1) ?? 0;
  for (let i = 0; i < ring.length; i += 2) {
    const x2 = ring[i] ?? 0;
    const y2 = ring[i + 1] ?? 0;
    if (y1 > latDeg !== y2 > latDeg && lonDeg < x1 + ((latDeg - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
    x1 = x2;
    y1 = y2;
  }
  return inside;
}
