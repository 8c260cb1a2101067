import { imagery } from "../packages/maps/src/types/imagery/map-type.ts";
import { renderInProcess, type InProcessRenderer } from "../packages/maps/src/render/render-in-process.ts";
import { granuleScene, type GranuleScene } from "./granule-scene.ts";
import { colourVrt } from "./large-geotiff.ts";
import { gdalPython, PythonPeer } from "./peers/python.ts";
import { mean, median, printRatio, seededRandom } from "./statistics.ts";

type Tile = readonly [z: number, x: number, y: number];

const ROUNDS = 3;
/** Decoded blocks of the browse case; GDAL's own default is 5 % of the memory, far more. */
const CACHE_BYTES = 128 * 1024 * 1024;
const AREA = { west: 15.15, south: 49.7, east: 16.35, north: 50.4 } as const;

/** One thread against GDAL in process, bilinear and PNG level 1, on the same COGs: cold tiles, then browsing. */
export async function run(): Promise<void> {
  const python = gdalPython();
  if (python === null) throw new Error("this bench needs the Python bindings of GDAL (python3-gdal)");
  const granule = await granuleScene();
  const vrt = colourVrt(granule.files);
  const cold = [11, 12, 13].flatMap((zoom) => randomTiles(zoom, 14));
  const browse = rowMajorTiles(12, 40);
  const figures = {
    coldOurs: [] as number[],
    coldPeer: [] as number[],
    browseOurs: [] as number[],
    browsePeer: [] as number[],
  };
  using gdal = new PythonPeer(python, "gdal_tiles.py");
  for (let round = 0; round < ROUNDS; round++) {
    figures.coldOurs.push(median(await ours(granule, cold, true)));
    figures.coldPeer.push(median(await peer(gdal, vrt, cold, true)));
    figures.browseOurs.push(mean(await ours(granule, browse, false)));
    figures.browsePeer.push(mean(await peer(gdal, vrt, browse, false)));
  }
  print("cold", figures.coldOurs, figures.coldPeer);
  print("browse", figures.browseOurs, figures.browsePeer);
  printRatio(
    "tiles-browse",
    median(figures.browsePeer) / median(figures.browseOurs),
    "GDAL in process, bilinear, PNG level 1",
  );
  printRatio(
    "tiles-cold",
    median(figures.coldPeer) / median(figures.coldOurs),
    "GDAL in process, bilinear, PNG level 1",
  );
}

function print(name: string, swath: readonly number[], gdal: readonly number[]): void {
  process.stdout.write(`${name}: swath ${median(swath).toFixed(1)} ms, GDAL ${median(gdal).toFixed(1)} ms a tile\n`);
}

/** Milliseconds of each tile; a cold one finds no decoded block, but headers parsed, as GDAL's side does. */
async function ours(granule: GranuleScene, tiles: readonly Tile[], cold: boolean): Promise<number[]> {
  const durations: number[] = [];
  using shared = renderInProcess(granule.blobs, cold ? 0 : CACHE_BYTES);
  await draw(shared, granule, [12, 2220, 1390]);
  for (const tile of tiles) {
    const startedMs = performance.now();
    await draw(shared, granule, tile);
    durations.push(performance.now() - startedMs);
  }
  return durations;
}

async function draw(renderer: InProcessRenderer, { scene, raster }: GranuleScene, [z, x, y]: Tile): Promise<void> {
  const file = await renderer.render({
    mapType: imagery.id,
    version: imagery.version,
    rendering: imagery.rendering,
    mapId: "bench",
    scene,
    raster,
    window: { kind: "tile", z, x, y, sizePx: 512 },
    clip: null,
    fileName: "truecolor.png",
    percentileStretch: false,
    userThreshold: null,
    forceDownload: false,
  });
  if (file.kind !== "file") throw new Error(`tile ${z}/${x}/${y} is ${file.kind}`);
}

async function peer(gdal: PythonPeer, file: string, tiles: readonly Tile[], cold: boolean): Promise<number[]> {
  const { ms } = await gdal.ask<{ ms: number[] }>({ file, tiles, cold, low: 0, high: 3000 });
  return ms;
}

function tileAt(zoom: number, lon: number, lat: number): Tile {
  const side = 2 ** zoom;
  const y = (0.5 - Math.atanh(Math.sin((lat * Math.PI) / 180)) / (2 * Math.PI)) * side;
  return [zoom, Math.floor(((lon + 180) / 360) * side), Math.floor(y)];
}

function randomTiles(zoom: number, count: number): Tile[] {
  const random = seededRandom(zoom);
  return Array.from({ length: count }, () =>
    tileAt(zoom, AREA.west + random() * (AREA.east - AREA.west), AREA.south + random() * (AREA.north - AREA.south)),
  );
}

function rowMajorTiles(zoom: number, count: number): Tile[] {
  const [, left, top] = tileAt(zoom, AREA.west, AREA.north);
  const columns = 8;
  return Array.from(
    { length: count },
    (_, index) => [zoom, left + (index % columns), top + Math.floor(index / columns)] as const,
  );
}
