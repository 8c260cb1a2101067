import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { open, readWindow } from "../packages/raster/src/main.ts";
import type { PixelArray } from "../packages/raster/src/source-raster.ts";
import { landscape } from "../packages/raster/src/testing/landscape.ts";
import { writeRaw } from "../packages/raster/src/tiff/gdal-testing.ts";
import { TEMPORARY } from "./large-geotiff.ts";
import { cogeotiff } from "./peers/cogeotiff.ts";
import { geotiffJs } from "./peers/geotiff-js.ts";
import type { RasterReader, ReadWindow } from "./peers/raster-reader.ts";
import { median, printRatio, seededRandom } from "./statistics.ts";

const SIDE_PX = 2048;
const TILE_PX = 256;
const WINDOW_PX = 512;
const WINDOWS = 21;
const WHOLE_ROUNDS = 5;

interface Case {
  readonly name: string;
  readonly bands: readonly PixelArray[];
  readonly dataType: "uint8" | "uint16" | "float32";
  readonly options: readonly string[];
  /** Largest difference of a pixel: decoders of JPEG may round to either side. */
  readonly tolerance: number;
}

const count = SIDE_PX * SIDE_PX;
const uint16 = (seed: number): Uint16Array => landscape(new Uint16Array(count), SIDE_PX, seed, 5_000);

const CASES: readonly Case[] = [
  {
    name: "DEFLATE with predictor, 3 x uint16",
    bands: [uint16(1), uint16(2), uint16(3)],
    dataType: "uint16",
    options: ["COMPRESS=DEFLATE", "PREDICTOR=2"],
    tolerance: 0,
  },
  {
    name: "LZW with predictor, 3 x uint16",
    bands: [uint16(1), uint16(2), uint16(3)],
    dataType: "uint16",
    options: ["COMPRESS=LZW", "PREDICTOR=2"],
    tolerance: 0,
  },
  {
    name: "JPEG, uint8",
    bands: [landscape(new Uint8Array(count), SIDE_PX, 1, 250)],
    dataType: "uint8",
    options: ["COMPRESS=JPEG"],
    tolerance: 2,
  },
  {
    name: "DEFLATE with predictor, float32",
    bands: [landscape(new Float32Array(count), SIDE_PX, 1, 5_000).map((value) => value / 7)],
    dataType: "float32",
    options: ["COMPRESS=DEFLATE", "PREDICTOR=3"],
    tolerance: 0,
  },
];

/**
 * Windows of 512 x 512 pixels and whole planes of tiled files, in one process and from open files.
 * geotiff.js runs with its pool or without, by which is faster; @cogeotiff/core runs with the decoders of Node.
 */
export async function run(): Promise<void> {
  const ratios: Ratios[] = [];
  for (const one of CASES) {
    const readers = await openAll(await write(one));
    try {
      ratios.push(await compare(`${one.name}, windows`, readers, randomWindows(), one.tolerance));
      const whole = { column: 0, row: 0, widthPx: SIDE_PX, heightPx: SIDE_PX };
      ratios.push(
        await compare(
          `${one.name}, whole`,
          readers,
          Array.from({ length: WHOLE_ROUNDS }, () => whole),
          one.tolerance,
        ),
      );
    } finally {
      for (const { reader } of readers) await reader.close();
    }
  }
  const least = (of: (one: Ratios) => number): number => Math.min(...ratios.map(of));
  printRatio(
    "raster",
    least(({ cogeotiff: ratio }) => ratio),
    "@cogeotiff/core, least of all files",
  );
  printRatio(
    "raster",
    least(({ geotiffJs: ratio }) => ratio),
    "geotiff.js, least of all files",
  );
}

/** How many times as long as ours each peer takes. */
interface Ratios {
  readonly geotiffJs: number;
  readonly cogeotiff: number;
}

interface NamedReader {
  readonly name: string;
  readonly reader: RasterReader;
}

async function write({ name, bands, dataType, options }: Case): Promise<string> {
  await mkdir(TEMPORARY, { recursive: true });
  const raw = join(TEMPORARY, "raster.raw");
  const path = join(TEMPORARY, `raster-${name.replaceAll(/\W+/g, "-")}.tif`);
  writeRaw(raw, { widthPx: SIDE_PX, heightPx: SIDE_PX, dataType, bands });
  const layout = ["TILED=YES", `BLOCKXSIZE=${TILE_PX}`, `BLOCKYSIZE=${TILE_PX}`, "INTERLEAVE=PIXEL"];
  const all = [...layout, ...options].flatMap((option) => ["-co", option]);
  const { status, stderr } = spawnSync("gdal_translate", ["-q", raw, path, ...all], { encoding: "utf8" });
  if (status !== 0) throw new Error(`gdal_translate failed: ${stderr}`);
  return path;
}

async function openAll(path: string): Promise<readonly NamedReader[]> {
  const raster = await open(path);
  const ours: RasterReader = {
    read: async (window) => (await readWindow(raster, window)).bands,
    close: async () => {
      await raster[Symbol.asyncDispose]();
    },
  };
  return [
    { name: "@swath/raster", reader: ours },
    { name: "geotiff.js, pool", reader: await geotiffJs(path, true) },
    { name: "geotiff.js, no pool", reader: await geotiffJs(path, false) },
    { name: "@cogeotiff/core", reader: await cogeotiff(path) },
  ];
}

function randomWindows(): readonly ReadWindow[] {
  const random = seededRandom(11);
  const corner = (): number => Math.floor(random() * (SIDE_PX - WINDOW_PX));
  return Array.from({ length: WINDOWS }, () => ({
    column: corner(),
    row: corner(),
    widthPx: WINDOW_PX,
    heightPx: WINDOW_PX,
  }));
}

/** Median times by turns, so that other load of the machine meets all readers alike. */
async function compare(
  label: string,
  readers: readonly NamedReader[],
  windows: readonly ReadWindow[],
  tolerance: number,
): Promise<Ratios> {
  await checkEqual(label, readers, windows[0] ?? { column: 0, row: 0, widthPx: 1, heightPx: 1 }, tolerance);
  const times: readonly number[][] = readers.map(() => []);
  for (const window of windows) {
    for (const [i, { reader }] of readers.entries()) {
      const startedMs = performance.now();
      await reader.read(window);
      times[i]?.push(performance.now() - startedMs);
    }
  }
  const [ours = 0, pooled = 0, alone = 0, cog = 0] = times.map(median);
  const geotiff = Math.min(pooled, alone);
  const ratios = { geotiffJs: geotiff / ours, cogeotiff: cog / ours };
  process.stdout.write(
    `${label}: ${ours.toFixed(1)} ms; geotiff.js (${pooled < alone ? "pool" : "no pool"}) ${geotiff.toFixed(1)} ms, ${ratios.geotiffJs.toFixed(2)}x; @cogeotiff/core ${cog.toFixed(1)} ms, ${ratios.cogeotiff.toFixed(2)}x\n`,
  );
  return ratios;
}

/** Reads with every reader, which warms them up too. @throws {Error} when two differ by more than the tolerance */
async function checkEqual(
  label: string,
  readers: readonly NamedReader[],
  window: ReadWindow,
  tolerance: number,
): Promise<void> {
  let expected: readonly ArrayLike<number>[] | null = null;
  for (const { name, reader } of readers) {
    const bands = await reader.read(window);
    expected ??= bands;
    if (bands.length !== expected.length) throw new Error(`${label}: ${name} gives ${bands.length} bands`);
    for (const [b, band] of bands.entries()) {
      const other = expected[b]!;
      if (band.length !== other.length) throw new Error(`${label}: ${name} gives ${band.length} pixels`);
      for (let i = 0; i < band.length; i++) {
        const difference = Math.abs(band[i]! - other[i]!);
        if (difference > tolerance) throw new Error(`${label}: ${name} differs by ${difference} in band ${b}`);
      }
    }
  }
}
