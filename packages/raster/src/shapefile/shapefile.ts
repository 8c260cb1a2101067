import type { Position } from "@swath/kernel/geometry/geojson";
import { zipOf } from "../archive/zip.ts";
import { encodeDbf, type Attributes } from "./dbf.ts";

/** A polygon of a shapefile, degrees of WGS 84. */
export interface ShapeFeature {
  /** Closed rings, the exterior first; either direction. */
  readonly rings: readonly (readonly Position[])[];
  readonly attributes: Attributes;
}

/** Well-known text of EPSG:4326 as the format's first users write it. */
const WGS84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const FILE_CODE = 9994;
const VERSION = 1000;
const POLYGON = 5;
const HEADER_BYTES = 100;

function ringArea(ring: readonly Position[]): number {
  let doubled = 0;
  for (let i = 1; i < ring.length; i++) doubled += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  return doubled;
}

/** Exteriors run clockwise, holes counter-clockwise: the opposite of GeoJSON. */
function directed(rings: ShapeFeature["rings"]): ShapeFeature["rings"] {
  return rings.map((ring, index) => (ringArea(ring) < 0 === (index === 0) ? ring : ring.toReversed()));
}

type Box = readonly [west: number, south: number, east: number, north: number];

function boxOf(rings: ShapeFeature["rings"]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [lon, lat] of ring) {
      west = Math.min(west, lon);
      south = Math.min(south, lat);
      east = Math.max(east, lon);
      north = Math.max(north, lat);
    }
  }
  return [west, south, east, north];
}

function contentBytes(rings: ShapeFeature["rings"]): number {
  return 44 + rings.length * 4 + rings.reduce((sum, ring) => sum + ring.length, 0) * 16;
}

function writeHeader(view: DataView, lengthBytes: number, box: Box): void {
  view.setInt32(0, FILE_CODE);
  view.setInt32(24, lengthBytes / 2);
  view.setInt32(28, VERSION, true);
  view.setInt32(32, POLYGON, true);
  for (const [index, value] of box.entries()) view.setFloat64(36 + index * 8, value, true);
}

function writePolygon(view: DataView, start: number, rings: ShapeFeature["rings"], box: Box): void {
  view.setInt32(start, POLYGON, true);
  for (const [index, value] of box.entries()) view.setFloat64(start + 4 + index * 8, value, true);
  view.setInt32(start + 36, rings.length, true);
  view.setInt32(
    start + 40,
    rings.reduce((sum, ring) => sum + ring.length, 0),
    true,
  );
  let part = start + 44;
  let at = part + rings.length * 4;
  let first = 0;
  for (const ring of rings) {
    view.setInt32(part, first, true);
    part += 4;
    first += ring.length;
    for (const [lon, lat] of ring) {
      view.setFloat64(at, lon, true);
      view.setFloat64(at + 8, lat, true);
      at += 16;
    }
  }
}

function encodeShapes(features: readonly ShapeFeature[]): { readonly shp: Uint8Array; readonly shx: Uint8Array } {
  const shapes = features.map(({ rings }) => {
    const own = directed(rings);
    return { rings: own, box: boxOf(own), bytes: contentBytes(own) };
  });
  const all: Box =
    shapes.length === 0
      ? [0, 0, 0, 0]
      : [
          shapes.reduce((least, { box }) => Math.min(least, box[0]), Infinity),
          shapes.reduce((least, { box }) => Math.min(least, box[1]), Infinity),
          shapes.reduce((most, { box }) => Math.max(most, box[2]), -Infinity),
          shapes.reduce((most, { box }) => Math.max(most, box[3]), -Infinity),
        ];
  const shp = new DataView(new ArrayBuffer(HEADER_BYTES + shapes.reduce((sum, { bytes }) => sum + 8 + bytes, 0)));
  const shx = new DataView(new ArrayBuffer(HEADER_BYTES + shapes.length * 8));
  writeHeader(shp, shp.byteLength, all);
  writeHeader(shx, shx.byteLength, all);
  let at = HEADER_BYTES;
  for (const [index, { rings, box, bytes }] of shapes.entries()) {
    shx.setInt32(HEADER_BYTES + index * 8, at / 2);
    shx.setInt32(HEADER_BYTES + index * 8 + 4, bytes / 2);
    shp.setInt32(at, index + 1);
    shp.setInt32(at + 4, bytes / 2);
    writePolygon(shp, at + 8, rings, box);
    at += 8 + bytes;
  }
  return { shp: new Uint8Array(shp.buffer), shx: new Uint8Array(shx.buffer) };
}

/**
 * Polygons as a zipped ESRI shapefile (`.shz`): geometry, index, attributes in UTF-8, and the coordinate reference
 * system, EPSG:4326. The same features give the same bytes. See the ESRI Shapefile Technical Description, July 1998.
 *
 * @param name of the files inside, without extension
 * @param fields that exist even without a feature
 */
export async function encodeShapefile(
  name: string,
  features: readonly ShapeFeature[],
  fields: readonly string[],
): Promise<Uint8Array> {
  const { shp, shx } = encodeShapes(features);
  const text = new TextEncoder();
  return await zipOf([
    { name: `${name}.shp`, body: shp },
    { name: `${name}.shx`, body: shx },
    {
      name: `${name}.dbf`,
      body: encodeDbf(
        features.map(({ attributes }) => attributes),
        fields,
      ),
    },
    { name: `${name}.prj`, body: text.encode(WGS84) },
    { name: `${name}.cpg`, body: text.encode("UTF-8") },
  ]);
}
