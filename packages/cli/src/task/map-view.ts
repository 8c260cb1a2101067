import type { Position } from "@swath/kernel/geometry/geojson";

/** Where the map is on the picture, pixels. */
export interface MapFrame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where degrees are on the picture: a plane whose scale is right in its middle. */
export interface MapView {
  readonly frame: MapFrame;
  /** Longitudes may leave -180..180. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const LEAST_HEIGHT_DEG = 0.5;
const MAX_HEIGHT_DEG = 170;
const MAX_LATITUDE_DEG = 89;
/** Places keep away from the frame by an eighth of the map. */
const ROOM = 1.25;
/** Close to the poles the plane would become too wide. */
const LEAST_COSINE = 0.05;

/** A view that shows all places, of which the first ring says where the map is around the Earth. */
export function viewOf(ring: readonly Position[], others: readonly Position[], frame: MapFrame): MapView {
  const lon0 = ring.reduce((sum, [lon]) => sum + lon, 0) / Math.max(ring.length, 1);
  const places = [...ring, ...others];
  const lons = rangeOf(places.map(([lon]) => lon - 360 * Math.round((lon - lon0) / 360)));
  const lats = rangeOf(places.map(([, lat]) => lat));
  const cosine = Math.max(Math.cos((lats.middle * Math.PI) / 180), LEAST_COSINE);
  const aspect = (frame.right - frame.left) / (frame.bottom - frame.top);
  const wished = Math.max(lats.span * ROOM, (lons.span * ROOM * cosine) / aspect, LEAST_HEIGHT_DEG);
  const heightDeg = Math.min(wished, MAX_HEIGHT_DEG);
  const widthDeg = Math.min((heightDeg * aspect) / cosine, 360);
  return {
    frame,
    west: lons.middle - widthDeg / 2,
    east: lons.middle + widthDeg / 2,
    south: Math.max(lats.middle - heightDeg / 2, -MAX_LATITUDE_DEG),
    north: Math.min(lats.middle + heightDeg / 2, MAX_LATITUDE_DEG),
  };
}

/** Pixels from the left, of the turn around the Earth that is next to the middle of the map. */
export function xOf(lon: number, { west, east, frame }: MapView): number {
  const middle = (west + east) / 2;
  return xWithin(lon - 360 * Math.round((lon - middle) / 360), { west, east, frame });
}

/** Pixels from the left of a longitude as it is. */
export function xWithin(lon: number, { west, east, frame }: Pick<MapView, "west" | "east" | "frame">): number {
  return frame.left + ((lon - west) / (east - west)) * (frame.right - frame.left);
}

export function yOf(lat: number, { south, north, frame }: MapView): number {
  return frame.bottom - ((lat - south) / (north - south)) * (frame.bottom - frame.top);
}

function rangeOf(values: readonly number[]): { readonly middle: number; readonly span: number } {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return { middle: (low + high) / 2, span: high - low };
}
