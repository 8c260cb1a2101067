import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ServiceProcess } from "../e2e/service-process.ts";
import { granuleScene } from "./granule-scene.ts";
import { colourVrt } from "./large-geotiff.ts";
import { titilerPython } from "./peers/python.ts";
import { median, printRatio, quantile, seededRandom } from "./statistics.ts";
import { GRANULE_AREA, uploadGranule } from "./uploaded-granule.ts";

const ROUNDS = 3;
const WORKERS = 2;
const CONCURRENCY = 4;
const TILES_PER_ROUND = 60;
const TITILER_PORT = 54_331;
const TILE_BOX = { west: 15.5, south: 49.9, east: 16.0, north: 50.2 } as const;

type Tile = readonly [z: number, x: number, y: number];

/** Tiles over HTTP with polygon alpha and signed map ID against TiTiler on the same COGs, two workers each. */
export async function run(): Promise<void> {
  const python = titilerPython();
  if (python === null) throw new Error("this bench needs TiTiler: the Python package index did not answer");
  const { scene: _scene, files } = await granuleScene();
  const vrt = colourVrt(files);
  await using service = await ServiceProcess.start({ SWATH_TILE_WORKERS: String(WORKERS) });
  const mapId = await releaseGranule(service);
  const titiler = spawn(
    python,
    [
      "-m",
      "uvicorn",
      "titiler_app:app",
      "--port",
      String(TITILER_PORT),
      "--workers",
      String(WORKERS),
      "--log-level",
      "error",
    ],
    { cwd: join(import.meta.dirname, "peers"), stdio: "inherit" },
  );
  try {
    const ours = ([z, x, y]: Tile): string => `${service.baseUrl}/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/truecolor.png`;
    const theirs = ([z, x, y]: Tile): string =>
      `http://127.0.0.1:${TITILER_PORT}/cog/tiles/WebMercatorQuad/${z}/${x}/${y}.png?tilesize=512&resampling=bilinear&rescale=0,3000&url=${encodeURIComponent(vrt)}`;
    await answers(titiler, theirs([12, 2226, 1387]));
    const figures = { random: [[], []] as [number[], number[]], browse: [[], []] as [number[], number[]] };
    const latency: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [side, url] of [ours, theirs].entries()) {
        // A tile is asked for once: no finished tile comes out of a cache.
        const random = await load(randomTiles(round).map(url));
        const browse = await load(rowMajorTiles(round).map(url));
        figures.random[side]?.push(random.perSecond);
        figures.browse[side]?.push(browse.perSecond);
        latency[side]?.push(...random.durationsMs);
      }
    }
    for (const [name, [swath, peer]] of Object.entries(figures)) {
      process.stdout.write(`${name}: swath ${median(swath).toFixed(1)}, TiTiler ${median(peer).toFixed(1)} tiles/s\n`);
    }
    const [swathMs, peerMs] = latency;
    process.stdout.write(
      `random p95: swath ${quantile(swathMs, 0.95).toFixed(0)} ms, TiTiler ${quantile(peerMs, 0.95).toFixed(0)} ms\n`,
    );
    printRatio("http-browse", median(figures.browse[0]) / median(figures.browse[1]), "TiTiler");
    printRatio("http", median(figures.random[0]) / median(figures.random[1]), "TiTiler");
  } finally {
    titiler.kill();
  }
}

async function releaseGranule(service: ServiceProcess): Promise<string> {
  const { demo, sceneId } = await uploadGranule(service);
  const request = { mapTypes: ["imagery"], sceneIds: [sceneId], extent: GRANULE_AREA };
  const released = await demo.run("/mapsvc/release", request);
  return released.body.maps[0].mapId;
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`TiTiler ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => null);
    if (response?.ok === true) return;
    if (response !== null) throw new Error(`TiTiler: ${response.status} ${await response.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("TiTiler did not start within 60 s");
}

/** A closed loop of `CONCURRENCY` clients over all addresses. */
async function load(urls: readonly string[]): Promise<{ perSecond: number; durationsMs: number[] }> {
  const durationsMs: number[] = [];
  const queue = [...urls];
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const requestMs = performance.now();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
      durationsMs.push(performance.now() - requestMs);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  return { perSecond: (urls.length * 1000) / (performance.now() - startedMs), durationsMs };
}

function tileAt(zoom: number, lon: number, lat: number): Tile {
  const side = 2 ** zoom;
  const y = (0.5 - Math.atanh(Math.sin((lat * Math.PI) / 180)) / (2 * Math.PI)) * side;
  return [zoom, Math.floor(((lon + 180) / 360) * side), Math.floor(y)];
}

function randomTiles(round: number): readonly Tile[] {
  const random = seededRandom(round + 1);
  const drawn = Array.from({ length: TILES_PER_ROUND * 3 }, (_, index) =>
    tileAt(
      12 + (index % 2),
      TILE_BOX.west + random() * (TILE_BOX.east - TILE_BOX.west),
      TILE_BOX.south + random() * (TILE_BOX.north - TILE_BOX.south),
    ),
  );
  return [...new Map(drawn.map((tile) => [tile.join("/"), tile])).values()].slice(0, TILES_PER_ROUND);
}

/** Another run of rows each round. */
function rowMajorTiles(round: number): readonly Tile[] {
  const [zoom, left, top] = tileAt(14, TILE_BOX.west, TILE_BOX.north);
  return Array.from(
    { length: TILES_PER_ROUND },
    (_, index) => [zoom, left + (index % 10), top + round * 6 + Math.floor(index / 10)] as const,
  );
}
