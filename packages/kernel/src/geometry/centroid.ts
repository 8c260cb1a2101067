import type { MultiPolygon } from "./geojson.ts";
import { mbr } from "./mbr.ts";

/**
 * The centre of mass of an area in normal form on the plane of longitude and latitude, `[longitude, latitude]` in
 * degrees; longitude in [-180, 180).
 *
 * @throws {RangeError} if the area has no parts
 */
export function centroid(area: MultiPolygon): readonly [lonDeg: number, latDeg: number] {
  const [west, south, east, north] = mbr(area);
  let weight = 0;
  let lonSum = 0;
  let latSum = 0;
  for (const polygon of area.coordinates) {
    for (const [index, ring] of polygon.entries()) {
      let ringWeight = 0;
      let ringLon = 0;
      let ringLat = 0;
      for (let i = 1; i < ring.length; i += 1) {
        const from = ring[i - 1];
        const to = ring[i];
        if (from === undefined || to === undefined) continue;
        const x1 = (from[0] < west ? from[0] + 360 : from[0]) - west;
        const x2 = (to[0] < west ? to[0] + 360 : to[0]) - west;
        const y1 = from[1] - south;
        const y2 = to[1] - south;
        const cross = x1 * y2 - x2 * y1;
        ringWeight += cross;
        ringLon += (cross * (x1 + x2)) / 3;
        ringLat += (cross * (y1 + y2)) / 3;
      }
      const sign = Math.sign(ringWeight) * (index === 0 ? 1 : -1);
      weight += sign * ringWeight;
      lonSum += sign * ringLon;
      latSum += sign * ringLat;
    }
  }
  const lon = weight > 0 ? west + lonSum / weight : (west + east) / 2;
  const lat = weight > 0 ? south + latSum / weight : (south + north) / 2;
  return [lon - 360 * Math.floor((lon + 180) / 360), lat];
}
