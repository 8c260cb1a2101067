import type { FoundObject } from "./block.ts";
import type { PlacedObject } from "./placed-object.ts";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { Position } from "@swath/kernel/geometry/geojson";
import { DEGREE, meridianRadiusM, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";

const M2_PER_KM2 = 1e6;

function sevenDecimals(value: number): number {
  const near = Math.round(value * 1e7) / 1e7;
  return near === 0 ? 0 : near;
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** The same meridian in [-180, 180): where tiles and areas look for it. */
function onMap(lonDeg: number): number {
  return lonDeg - 360 * Math.floor((lonDeg + 180) / 360);
}

/** The same meridian at most half a turn from another. */
function beside(lonDeg: number, otherDeg: number): number {
  return lonDeg - 360 * Math.round((lonDeg - otherDeg) / 360);
}

/**
 * An object at its place, with the properties that follow from its shape: `area` and `bboxArea` in m², `orientation` of
 * its long axis in degrees counter-clockwise from east (-90 to 90, only when it is a single one), `aspectRatio` short by
 * long, `eccentricity` of the ellipse with those axes, `areaPercentage` of the rectangle that its pixels fill, and
 * `source`, `rule` unless the object names another.
 *
 * @param toLonLat place of a pixel corner of the grid; @throws what it throws
 */
export function placeObject(
  object: FoundObject,
  toLonLat: (column: number, row: number) => readonly [lonDeg: number, latDeg: number],
): PlacedObject {
  const [meridianDeg, latDeg] = toLonLat(...object.centre);
  const lonDeg = onMap(meridianDeg);
  const corners = object.corners.map(([column, row]): Position => {
    const [lon, lat] = toLonLat(column, row);
    return [sevenDecimals(beside(lon, lonDeg)), sevenDecimals(lat)];
  });
  const metres = corners.map(([lon, lat]): readonly [number, number] => [
    (lon - lonDeg) * DEGREE * primeVerticalRadiusM(latDeg) * Math.cos(latDeg * DEGREE),
    (lat - latDeg) * DEGREE * meridianRadiusM(latDeg),
  ]);
  const counterClockwise = signedArea(metres) >= 0 ? corners : corners.toReversed();
  const ring = [...counterClockwise, counterClockwise[0]!];
  const [long, short, orientation] = sides(metres);
  const bboxArea = areaKm2({ type: "Polygon", coordinates: [ring] }) * M2_PER_KM2;
  const aspectRatio = long > 0 ? short / long : 1;
  return {
    centre: [lonDeg, latDeg],
    ring,
    properties: {
      class: object.className,
      area: rounded(object.areaM2, 1),
      count: object.count,
      confidence: rounded(Math.min(Math.max(object.confidence, 0), 1), 3),
      ...(object.count === 1 ? { orientation: rounded(orientation, 2) } : {}),
      aspectRatio: rounded(aspectRatio, 3),
      bboxArea: rounded(bboxArea, 1),
      areaPercentage: bboxArea > 0 ? rounded(Math.min(100, (object.areaM2 / bboxArea) * 100), 1) : 0,
      eccentricity: rounded(Math.sqrt(Math.max(0, 1 - aspectRatio ** 2)), 3),
      latLonCenter: [sevenDecimals(latDeg), sevenDecimals(lonDeg)],
      source: "rule",
      ...withoutNoise(object.properties),
    },
  };
}

/** Numbers that arithmetic left at 109.89999999999998 as 109.9. */
function withoutNoise(properties: FoundObject["properties"]): FoundObject["properties"] {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, typeof value === "number" ? rounded(value, 6) : value]),
  );
}

function signedArea(points: readonly (readonly [number, number])[]): number {
  let sum = 0;
  for (const [i, [x0, y0]] of points.entries()) {
    const [x1, y1] = points[(i + 1) % points.length]!;
    sum += x0 * y1 - x1 * y0;
  }
  return sum / 2;
}

/** Long and short side in metres, and the direction of the long one. */
function sides(
  points: readonly (readonly [number, number])[],
): readonly [long: number, short: number, degrees: number] {
  const [a, b, c] = points;
  if (a === undefined || b === undefined || c === undefined) return [0, 0, 0];
  const first = [b[0] - a[0], b[1] - a[1]] as const;
  const second = [c[0] - b[0], c[1] - b[1]] as const;
  const [long, short] = Math.hypot(...first) >= Math.hypot(...second) ? [first, second] : [second, first];
  let degrees = Math.atan2(long[1], long[0]) / DEGREE;
  if (degrees > 90) degrees -= 180;
  else if (degrees <= -90) degrees += 180;
  return [Math.hypot(...long), Math.hypot(...short), degrees];
}
