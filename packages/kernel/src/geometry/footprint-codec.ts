import type { FlatRing } from "./flat-ring.ts";
import { unflatten } from "./flat-ring.ts";
import type { MultiPolygon } from "./geojson.ts";

/*
 * Layout, little-endian: uint8 version (1), uint32 polygons; per polygon uint32 rings; per ring uint32 positions
 * without the closing one, then int32 longitude and latitude in 1e-7 degrees each. Half the size of WKB, and exact
 * because footprints have seven decimals.
 */
const VERSION = 1;
const UNITS_PER_DEGREE = 1e7;

/**
 * A footprint in normal form as bytes for the database.
 *
 * @throws {RangeError} if a longitude is beyond ±180 or a latitude beyond ±90
 */
export function encodeFootprint(area: MultiPolygon): Uint8Array {
  let size = 5;
  for (const polygon of area.coordinates) {
    size += 4;
    for (const ring of polygon) size += 4 + 8 * (ring.length - 1);
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 5;
  view.setUint8(0, VERSION);
  view.setUint32(1, area.coordinates.length, true);
  for (const polygon of area.coordinates) {
    view.setUint32(at, polygon.length, true);
    at += 4;
    for (const ring of polygon) {
      view.setUint32(at, ring.length - 1, true);
      at += 4;
      for (const [lon, lat] of ring.slice(0, -1)) {
        if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) {
          throw new RangeError(`footprint position [${lon}, ${lat}] is not in normal form`);
        }
        view.setInt32(at, Math.round(lon * UNITS_PER_DEGREE), true);
        view.setInt32(at + 4, Math.round(lat * UNITS_PER_DEGREE), true);
        at += 8;
      }
    }
  }
  return bytes;
}

/**
 * The rings of an encoded footprint, per polygon, the exterior first.
 *
 * @throws {RangeError} if the bytes are not a footprint
 */
export function decodeFootprintRings(bytes: Uint8Array): readonly (readonly FlatRing[])[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes.byteLength > 0 ? view.getUint8(0) : -1;
  if (version !== VERSION) throw new RangeError(`footprint has version ${version}, expected ${VERSION}`);
  let at = 5;
  const polygons: FlatRing[][] = [];
  for (let p = view.getUint32(1, true); p > 0; p -= 1) {
    const rings: FlatRing[] = [];
    let ringCount = view.getUint32(at, true);
    at += 4;
    for (; ringCount > 0; ringCount -= 1) {
      const positions = view.getUint32(at, true);
      at += 4;
      const ring: number[] = [];
      for (let i = 0; i < positions; i += 1) {
        ring.push(view.getInt32(at, true) / UNITS_PER_DEGREE, view.getInt32(at + 4, true) / UNITS_PER_DEGREE);
        at += 8;
      }
      rings.push(ring);
    }
    polygons.push(rings);
  }
  return polygons;
}

/** The encoded footprint as GeoJSON. @throws {RangeError} if the bytes are not a footprint */
export function decodeFootprint(bytes: Uint8Array): MultiPolygon {
  return { type: "MultiPolygon", coordinates: decodeFootprintRings(bytes).map((rings) => rings.map(unflatten)) };
}
