import type { AreaGeometry, LinearRing, PolygonCoordinates } from "./geojson.ts";

const [POLYGON, MULTI_POLYGON] = [3, 6];
const COUNT_BYTES = 4;
/** Byte order, type and number of parts. */
const HEAD_BYTES = 1 + 4 + COUNT_BYTES;
const POSITION_BYTES = 16;

/** Well-known binary of an area, little-endian, longitude before latitude, without heights (OGC 06-103r4, clause 8). */
export function wkbOf(area: AreaGeometry): Uint8Array<ArrayBuffer> {
  const polygons = area.type === "Polygon" ? [area.coordinates] : area.coordinates;
  const bodyBytes = polygons.reduce((sum, rings) => sum + polygonBytes(rings), 0);
  const isMulti = area.type === "MultiPolygon";
  const bytes = new Uint8Array(bodyBytes + (isMulti ? HEAD_BYTES : 0));
  const view = new DataView(bytes.buffer);
  let at = isMulti ? writeHead(view, 0, MULTI_POLYGON, polygons.length) : 0;
  for (const rings of polygons) {
    at = writeHead(view, at, POLYGON, rings.length);
    for (const ring of rings) at = writeRing(view, at, ring);
  }
  return bytes;
}

function polygonBytes(rings: PolygonCoordinates): number {
  return rings.reduce((sum, { length }) => sum + COUNT_BYTES + length * POSITION_BYTES, HEAD_BYTES);
}

/** @returns the position behind it, as `writeRing` */
function writeHead(view: DataView, start: number, type: number, parts: number): number {
  view.setUint8(start, 1);
  view.setUint32(start + 1, type, true);
  view.setUint32(start + 5, parts, true);
  return start + HEAD_BYTES;
}

function writeRing(view: DataView, start: number, ring: LinearRing): number {
  view.setUint32(start, ring.length, true);
  let at = start + COUNT_BYTES;
  for (const [lonDeg, latDeg] of ring) {
    view.setFloat64(at, lonDeg, true);
    view.setFloat64(at + 8, latDeg, true);
    at += POSITION_BYTES;
  }
  return at;
}
