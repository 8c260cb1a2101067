import type { Box } from "../console-state.ts";

/** A detected object of a map. */
export interface MapObject {
  readonly id: string;
  readonly className: string;
  /** 0 to 1; null where the map states none. */
  readonly confidence: number | null;
  readonly areaM2: number | null;
  readonly lengthM: number | null;
  readonly longitude: number;
  readonly latitude: number;
  /** Around the outline; west exceeds east across the antimeridian. */
  readonly box: Box;
  /** A GeoJSON geometry. */
  readonly geometry: object;
  /** As the file has them: numbers, texts and lists of numbers. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Reads a feature of `detections.geojson`; null where it is none. */
export function readMapObject(feature: unknown): MapObject | null {
  if (!isRecord(feature) || !isRecord(feature["geometry"]) || !isRecord(feature["properties"])) return null;
  const { geometry, properties } = feature;
  const { featureId, class: className, latLonCenter } = properties;
  const [latitude, longitude]: readonly unknown[] = Array.isArray(latLonCenter) ? latLonCenter : [];
  if (typeof featureId !== "string" || typeof latitude !== "number" || typeof longitude !== "number") return null;
  const positions = positionsOf(geometry["coordinates"], []);
  if (positions.length === 0) return null;
  return {
    id: featureId,
    className: typeof className === "string" ? className : "",
    confidence: numberOf(properties["confidence"]),
    areaM2: numberOf(properties["area"]),
    lengthM: numberOf(properties["lengthM"]),
    longitude,
    latitude,
    box: boxOf(positions),
    geometry,
    properties,
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

type Position = readonly [longitude: number, latitude: number];

/** Positions of coordinates of any depth. */
function positionsOf(coordinates: unknown, found: Position[]): readonly Position[] {
  if (!Array.isArray(coordinates)) return found;
  const [longitude, latitude]: readonly unknown[] = coordinates;
  if (typeof longitude === "number" && typeof latitude === "number") found.push([longitude, latitude]);
  else for (const inner of coordinates) positionsOf(inner, found);
  return found;
}

/** The two parts of an outline across the antimeridian are near 180 and -180. */
function boxOf(positions: readonly Position[]): Box {
  const all = positions.map(([longitude]) => longitude);
  const isAcross = Math.max(...all) - Math.min(...all) > 180;
  const longitudes = isAcross ? all.map((longitude) => (longitude < 0 ? longitude + 360 : longitude)) : all;
  const latitudes = positions.map(([, latitude]) => latitude);
  const east = Math.max(...longitudes);
  return {
    west: Math.min(...longitudes),
    south: Math.min(...latitudes),
    east: east > 180 ? east - 360 : east,
    north: Math.max(...latitudes),
  };
}
