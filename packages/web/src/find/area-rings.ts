import type { Box } from "../console-state.ts";

export type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** The searched area as the service reads it. */
export type AreaGeometry =
  | { readonly type: "Polygon"; readonly coordinates: readonly Ring[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] };

/** A box as GeoJSON: two parts where it crosses the antimeridian. */
export function boxGeometry({ west, south, east, north }: Box): AreaGeometry {
  const ring = (from: number, to: number): Ring => [
    [from, south],
    [to, south],
    [to, north],
    [from, north],
    [from, south],
  ];
  if (west < east) return { type: "Polygon", coordinates: [ring(west, east)] };
  return { type: "MultiPolygon", coordinates: [[ring(west, 180)], [ring(-180, east)]] };
}

/** Outer rings, for the map. */
export function outerRings(geometry: AreaGeometry): readonly Ring[] {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flatMap(([outer]) => (outer === undefined ? [] : [outer]));
}

/** The box of a drawn ring, with as many digits as a metre needs. */
export function boxOfRing(ring: Ring): Box {
  const longitudes = ring.map(([longitude]) => longitude);
  const latitudes = ring.map(([, latitude]) => latitude);
  return {
    west: onGlobe(Math.min(...longitudes)),
    south: rounded(Math.min(...latitudes)),
    east: onGlobe(Math.max(...longitudes)),
    north: rounded(Math.max(...latitudes)),
  };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** A map that was moved around the globe gives longitudes beyond 180. */
function onGlobe(longitude: number): number {
  return rounded(Math.abs(longitude) > 180 ? longitude - 360 * Math.round(longitude / 360) : longitude);
}

/** The box of a geometry; west exceeds east where its two parts touch the antimeridian from both sides. */
export function boxOfGeometry(geometry: AreaGeometry): Box {
  const boxes = outerRings(geometry).map(boxOfRing);
  const eastern = boxes.find(({ east }) => east === 180);
  const western = boxes.find(({ west }) => west === -180);
  const south = Math.min(...boxes.map((box) => box.south));
  const north = Math.max(...boxes.map((box) => box.north));
  if (eastern !== undefined && western !== undefined && eastern !== western) {
    return { west: eastern.west, south, east: western.east, north };
  }
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south,
    east: Math.max(...boxes.map(({ east }) => east)),
    north,
  };
}

/** Reads `west, south, east, north`; null where they are no box. */
export function parseCorners(text: string): Box | null {
  const [west, south, east, north, ...rest] = text
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined || rest.length > 0)
    return null;
  const isOnGlobe = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  return isOnGlobe && south < north && west !== east ? { west, south, east, north } : null;
}
