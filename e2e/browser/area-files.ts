import { createRequire } from "node:module";
import { join } from "node:path";
import { installExtra } from "../../scripts/extras.ts";

const { zipSync } = createRequire(join(installExtra("console"), "package.json"))("fflate") as {
  readonly zipSync: (files: Readonly<Record<string, Uint8Array>>) => Uint8Array;
};

/** A square of a tenth of a degree, longitude and latitude of its corners. */
export const SQUARE = [
  [15, 0.8],
  [15.1, 0.8],
  [15.1, 0.9],
  [15, 0.9],
  [15, 0.8],
] as const;

const PAIRS = SQUARE.map((position) => position.join(" ")).join(", ");
const KML_PAIRS = SQUARE.map((position) => position.join(",")).join(" ");

export const GEOJSON = JSON.stringify({ type: "Feature", geometry: { type: "Polygon", coordinates: [SQUARE] } });
export const WKT = `POLYGON((${PAIRS}))`;
export const KML = `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>${KML_PAIRS}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`;
export const GPX = `<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><trk><trkseg>${SQUARE.map(
  ([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"></trkpt>`,
).join("")}</trkseg></trk></gpx>`;
/** Entities of entities, which a careless reader expands without end. */
export const BILLION_LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><kml xmlns="http://www.opengis.net/kml/2.2"><name>&b;</name></kml>`;

const WGS84 = 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]]]';
const UTM = 'PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984"]]';

/** A zipped shapefile of the square, written by the rules of the ESRI paper of 1998. */
export function zippedShapefile(projection: "utm" | "wgs84"): Uint8Array {
  return zipSync({ "fields.shp": shp(), "fields.prj": Buffer.from(projection === "utm" ? UTM : WGS84) });
}

/** A shapefile of zeros of this number of bytes: an archive of a thousandth of them. */
export function bomb(bytes: number): Uint8Array {
  return zipSync({ "bomb.shp": new Uint8Array(bytes) });
}

function shp(): Uint8Array {
  const contentBytes = 44 + 4 + SQUARE.length * 16;
  const bytes = Buffer.alloc(100 + 8 + contentBytes);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.length / 2, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(5, 32);
  writeBox(bytes, 36);
  bytes.writeInt32BE(1, 100);
  bytes.writeInt32BE(contentBytes / 2, 104);
  bytes.writeInt32LE(5, 108);
  writeBox(bytes, 112);
  bytes.writeInt32LE(1, 144);
  bytes.writeInt32LE(SQUARE.length, 148);
  // Outer rings run clockwise.
  for (const [index, [lon, lat]] of SQUARE.toReversed().entries()) {
    bytes.writeDoubleLE(lon, 156 + index * 16);
    bytes.writeDoubleLE(lat, 164 + index * 16);
  }
  return bytes;
}

function writeBox(bytes: Buffer, at: number): void {
  for (const [index, value] of [15, 0.8, 15.1, 0.9].entries()) bytes.writeDoubleLE(value, at + index * 8);
}
