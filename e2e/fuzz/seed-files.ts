import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sampleData } from "@swath/base/sample-data";
import { zipOf, type ZipEntry } from "@swath/raster/archive/zip";
import { writtenCogs } from "../../packages/raster/src/testing/written-cog.ts";
import { tiledTiff } from "../../packages/raster/src/testing/tiled-tiff.ts";
import { buildTiff, double, geoKeyTag, imageTags } from "../../packages/raster/src/tiff/tiff-building.ts";
import { coastGeotiff } from "../make-geotiff.ts";

/** A file that ingestion reads, or one of another kind that somebody may send. */
export interface SeedFile {
  readonly name: string;
  /** Suffix of the upload; null for the body of a GeoJSON operation. */
  readonly suffix: ".geotiff" | ".zip" | null;
  readonly bytes: Uint8Array;
  /** Parts of an archive: a change of the archive alone seldom reaches what it holds. */
  readonly entries?: readonly ZipEntry[];
}

/** Larger samples would only make the run slow: their structure is the same. */
const LARGEST_SAMPLE_BYTES = 600_000;
/** Annotations of a radar product. */
const LARGEST_DOCUMENT_BYTES = 3_000_000;

const SCENE = {
  satellite: "Sentinel-2A",
  datetime: "2026-06-03T11:24:36Z",
  cloudCover: 0.04,
  offNadir: 3.2,
  sunElevation: 61.3,
  bands: [{ names: ["Red"], role: "R", gsd: 10, nodata: 0, reflectanceMult: 0.0001, reflectanceAdd: 0 }],
};

const POINT = { type: "Feature", geometry: { type: "Point", coordinates: [15, 0.9] }, properties: { name: "a" } };

const KML = `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Point>
<coordinates>15,0.9,0</coordinates></Point></Placemark></kml>`;

const TLE = `ISS (ZARYA)
1 25544U 98067A   24279.50000000  .00016717  00000-0  10270-3 0  9000
2 25544  51.6400 208.9163 0006703  30.0000 330.0000 15.50000000 10000`;

/** Main file of a shapefile of one point: ESRI Shapefile Technical Description, 1998. */
function shapefile(): Uint8Array {
  const bytes = Buffer.alloc(100 + 28);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.length / 2, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(1, 32);
  bytes.writeInt32BE(1, 100);
  bytes.writeInt32BE(10, 104);
  bytes.writeInt32LE(1, 108);
  bytes.writeDoubleLE(15, 112);
  bytes.writeDoubleLE(0.9, 120);
  return bytes;
}

/** The beginning of a JPEG 2000 file: signature, file type, header and codestream boxes (ISO/IEC 15444-1). */
function jpeg2000(): Uint8Array {
  return Buffer.concat([
    Buffer.from("0000000c6a5020200d0a870a", "hex"),
    Buffer.from("00000014667479706a703220000000006a703220", "hex"),
    Buffer.from("0000002d6a703268", "hex"),
    Buffer.from("00000016696864720000010000000100000107070000", "hex"),
    Buffer.from("0000000f636f6c72010000000000106a7032630000ff4fff51", "hex"),
    Buffer.alloc(200, 0x5a),
  ]);
}

function smallTiff(options: Parameters<typeof buildTiff>[1]): Uint8Array {
  const georeference = {
    33_550: double(10, 10, 0),
    33_922: double(0, 0, 0, 500_000, 100_000, 0),
    34_735: geoKeyTag({ 1024: 1, 1025: 1, 3072: 32_633 }),
  };
  const pixels = Uint8Array.from({ length: 64 * 64 }, (_, i) => i % 251);
  return buildTiff([{ blocks: [pixels], tags: imageTags(64, 64, georeference) }], options);
}

async function ownCogs(): Promise<readonly Uint8Array[]> {
  const widthPx = 96;
  const heightPx = 96;
  const values = Float32Array.from({ length: widthPx * heightPx }, (_, i) => (i % 97) / 97);
  await using written = await writtenCogs({ widthPx, heightPx, bands: [values], nodata: 0 });
  return written.paths.map((path) => readFileSync(path));
}

function json(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** Files by our own writers. */
export async function ownFiles(): Promise<readonly SeedFile[]> {
  const coast = coastGeotiff({ widthPx: 64, heightPx: 64 });
  const tiled = { widthPx: 64, heightPx: 64, tilePx: 32, epsg: 32_633, pixelSize: 10 } as const;
  const place = { origin: [500_000, 100_000], valueAt: (column: number, row: number) => column * row } as const;
  const cogs = await ownCogs();
  const tiffs: readonly (readonly [name: string, bytes: Uint8Array])[] = [
    ["strips", coast],
    ["tiles", tiledTiff({ ...tiled, ...place, nodata: 0, overviews: [2] })],
    ["big-endian", smallTiff({ bigEndian: true })],
    ["bigtiff", smallTiff({ bigTiff: true })],
    ...cogs.map((bytes, index) => [`cog-${index}`, bytes] as const),
  ];
  const archives: readonly (readonly [name: string, entries: readonly { name: string; body: Uint8Array }[]])[] = [
    ["one", [{ name: "a.tif", body: coast }]],
    ["bands", tiffs.slice(2, 4).map(([name, body]) => ({ name: `B0${name.length}.tif`, body }))],
    [
      "scene",
      [
        { name: "scene.json", body: json(SCENE) },
        { name: "red.tif", body: smallTiff({}) },
      ],
    ],
    [
      "shapefile",
      [
        { name: "a.shp", body: shapefile() },
        { name: "a.geojson", body: json(POINT) },
      ],
    ],
    [
      "texts",
      [
        { name: "a.kml", body: Buffer.from(KML) },
        { name: "a.tle", body: Buffer.from(TLE) },
      ],
    ],
  ];
  const foreign: readonly (readonly [name: string, bytes: Uint8Array])[] = [
    ["jpeg2000", jpeg2000()],
    ["shapefile", shapefile()],
    ["geojson", json(POINT)],
    ["kml", Buffer.from(KML)],
    ["tle", Buffer.from(TLE)],
  ];
  return [
    { name: "geojson-body", suffix: null, bytes: json(POINT) },
    ...[...tiffs, ...foreign].map(([name, bytes]): SeedFile => ({ name, suffix: ".geotiff", bytes })),
    ...(await Promise.all(
      archives.map(async ([name, entries]): Promise<SeedFile> => ({
        name: `zip-${name}`,
        suffix: ".zip",
        bytes: await zipOf(entries),
        entries,
      })),
    )),
  ];
}

/** Files of the sample folder where it is present: real products of every kind, and zips of some. */
export async function sampleFiles(): Promise<readonly SeedFile[]> {
  const root = sampleData();
  if (root === null) return [];
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => join(root, name))
    .filter((path) => {
      const status = statSync(path);
      const largest = /\.(?:xml|safe)$/iu.test(path) ? LARGEST_DOCUMENT_BYTES : LARGEST_SAMPLE_BYTES;
      return status.isFile() && status.size <= largest;
    })
    .filter((path) => /\.(?:tiff?|jp2|geojson|json|txt|xml|safe|kml|zip|shp)$/iu.test(path));
  const files = paths.map((path) => ({ path, name: basename(path), bytes: readFileSync(path) }));
  const plain = files.map(({ name, bytes }): SeedFile => ({
    name,
    suffix: name.endsWith(".zip") ? ".zip" : ".geotiff",
    bytes,
  }));
  const products = Map.groupBy(files, ({ path }) => join(path, "..").replace(/\/annotation$/u, ""));
  const zips: SeedFile[] = [];
  for (const [folder, parts] of products) {
    if (parts.length < 2 || parts.length > 12) continue;
    const entries = parts.map(({ path, bytes }) => ({ name: path.slice(folder.length + 1), body: bytes }));
    const total = entries.reduce((sum, { body }) => sum + body.length, 0);
    if (total > 6 * LARGEST_SAMPLE_BYTES) continue;
    zips.push({ name: `${basename(folder)}.zip`, suffix: ".zip", bytes: await zipOf(entries), entries });
  }
  const bodies = plain
    .filter(({ name }) => name.endsWith(".geojson"))
    .map((file): SeedFile => ({ ...file, suffix: null }));
  return [...plain, ...bodies, ...zips];
}
