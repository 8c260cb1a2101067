import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import sharp from "sharp";
import { tileAt, type Tile } from "@swath/kernel/tiles/tile";
import { RawClient } from "../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { distributionPostgres } from "./distribution-postgres.ts";
import { lonLatOf, mosaicScenes, SIDE_PX, type MosaicScene } from "./mosaic-scenes.ts";
import { fillPgstac } from "./peers/stac-fastapi.ts";
import { TitilerPgstac, titilerPgstacPython } from "./peers/titiler-pgstac.ts";
import { median, printRatio, quantile, seededRandom } from "./statistics.ts";

const ROUNDS = 3;
const WORKERS = 2;
const CONCURRENCY = 4;
const TILES_PER_ROUND = 20;
/** Tiles whose pixels are compared. */
const COMPARED = 4;
/** Pixels of the scenes along a side of a tile at 50 degrees north. */
const TILE_PX = { 13: 320, 14: 160 } as const;
type Zoom = keyof typeof TILE_PX;
/** The deepest zoom, where a tile enlarges 160 pixels, and the zoom above it. The last one is the figure. */
const CASES = [
  { name: "mosaic-deepest", zoom: 14 },
  { name: "mosaic", zoom: 13 },
] as const;
const COLLECTION = "mosaic";
const STRETCH = "0,3000";
/** Mean difference of the colours of both sides where both have a pixel, levels of 255. */
const MOST_LEVELS = 4;
/** Share of pixels that only one side has: edges of strips. */
const MOST_ALONE = 0.03;

type Address = (tile: Tile) => string;

/** Tiles of a mosaic of 20 scenes over HTTP, newest valid pixel, against titiler-pgstac on the same scenes. */
export async function run(): Promise<void> {
  const python = titilerPgstacPython();
  if (python === null) throw new Error("this bench needs titiler-pgstac: the Python package index did not answer");
  using postgres = distributionPostgres();
  if (postgres === null) throw new Error("this bench needs the PostgreSQL of the distribution with PostGIS");
  const scenes = await mosaicScenes();
  await using service = await ServiceProcess.start({ SWATH_TILE_WORKERS: String(WORKERS) });
  const mapId = await makeMosaic(service, scenes);
  await fillPgstac(python, postgres.url, { collections: [collection()], items: scenes.map(item) });
  await using peer = await TitilerPgstac.start(python, postgres.url, WORKERS);
  const search = await peer.register(COLLECTION);
  const ours: Address = ([z, x, y]) =>
    `${service.baseUrl}/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/truecolor.png?stretch=${STRETCH}`;
  const theirs: Address = ([z, x, y]) =>
    `${peer.baseUrl}/searches/${search}/tiles/WebMercatorQuad/${z}/${x}/${y}.png` +
    `?assets=visual&rescale=${STRETCH}&tilesize=512&resampling=bilinear&reproject=bilinear`;
  for (const { name, zoom } of CASES) await measure(name, rounds(zoom), [ours, theirs]);
}

async function measure(name: string, tiles: readonly (readonly Tile[])[], sides: readonly [Address, Address]) {
  const [warm = [], ...measured] = tiles;
  const [ours, theirs] = sides;
  for (const tile of warm) await assertEqual(tile, ours(tile), theirs(tile));
  const figures: [number[], number[]] = [[], []];
  const times: [number[], number[]] = [[], []];
  for (const round of measured) {
    // By turns, and a tile is asked for once: no finished tile comes out of a cache.
    for (const [side, address] of sides.entries()) {
      const { durationsMs, perSecond } = await load(round.map(address));
      figures[side]?.push(perSecond);
      times[side]?.push(...durationsMs);
    }
  }
  const [swath, titiler] = figures;
  const [mineMs, peerMs] = times.map((all) => quantile(all, 0.95).toFixed(0));
  process.stdout.write(
    `${name}: swath ${median(swath).toFixed(1)}, titiler-pgstac ${median(titiler).toFixed(1)} tiles/s; ` +
      `p95 ${mineMs} ms, ${peerMs} ms\n`,
  );
  printRatio(name, median(swath) / median(titiler), "titiler-pgstac");
}

async function makeMosaic(service: ServiceProcess, scenes: readonly MosaicScene[]): Promise<string> {
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneIds: string[] = [];
  for (const scene of scenes) sceneIds.push(await ingest(demo, scene));
  const extent = { type: "Polygon", coordinates: [square()] };
  const request = { mapType: "imagery", rule: "newest", extent, sceneIds, cloudFree: false, allocate: true };
  const startedMs = performance.now();
  const made = await demo.run("/mapsvc/mosaic", request);
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  const seconds = (performance.now() - startedMs) / 1000;
  process.stdout.write(`${made.body.scenes.length} scenes, mosaic made in ${seconds.toFixed(1)} s\n`);
  return made.body.mapId;
}

async function ingest(demo: RawClient, { name, path }: MosaicScene): Promise<string> {
  const size = statSync(path).size;
  const request = { uploadSuffix: ".geotiff", size, filename: name };
  const upload = await demo.post("/imagery/ingest-scene/upload", request);
  const put = await fetch(upload.body.url, {
    method: "PUT",
    body: Readable.toWeb(createReadStream(path)),
    headers: { "Content-Type": "application/octet-stream", "Content-Length": String(size) },
    duplex: "half",
  });
  if (!put.ok) throw new Error(`upload: ${put.status} ${await put.text()}`);
  const ingested = await demo.run("/imagery/ingest-scene", { provider: "local", filepath: upload.body.filepath });
  if (ingested.status !== 200) throw new Error(JSON.stringify(ingested.body));
  return ingested.body.ingestedScenes[0].sceneId;
}

/** Pixels of the scenes that the mosaic and the tiles have. */
const [LEAST_PX, MOST_PX] = [150, SIDE_PX - 150];

function square(): readonly (readonly [number, number])[] {
  const corners = [
    [LEAST_PX, LEAST_PX],
    [LEAST_PX, MOST_PX],
    [MOST_PX, MOST_PX],
    [MOST_PX, LEAST_PX],
    [LEAST_PX, LEAST_PX],
  ] as const;
  return corners.map(([column, row]) => lonLatOf(column, row));
}

function collection(): unknown {
  return {
    type: "Collection",
    id: COLLECTION,
    stac_version: "1.0.0",
    description: "scenes of the mosaic",
    license: "proprietary",
    links: [],
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]] },
      temporal: { interval: [["2024-05-01T00:00:00Z", null]] },
    },
  };
}

function item({ colourPath, day, footprint, name }: MosaicScene): unknown {
  const positions = footprint.coordinates.flat();
  const [lons, lats] = [0, 1].map((axis) => positions.map((position) => position[axis] ?? 0));
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id: name,
    collection: COLLECTION,
    geometry: footprint,
    bbox: [Math.min(...(lons ?? [])), Math.min(...(lats ?? [])), Math.max(...(lons ?? [])), Math.max(...(lats ?? []))],
    links: [],
    properties: { datetime: `${day}T00:00:00Z` },
    assets: {
      visual: { href: colourPath, type: "image/tiff; application=geotiff; profile=cloud-optimized", roles: ["data"] },
    },
  };
}

/** Tiles for a comparison and for each round, all of them different and inside the mosaic: Swath draws nothing outside. */
function rounds(zoom: Zoom): readonly (readonly Tile[])[] {
  const random = seededRandom(zoom);
  const known = new Map<string, Tile>();
  const edgePx = TILE_PX[zoom];
  const wanted = COMPARED + ROUNDS * TILES_PER_ROUND;
  for (let tries = 0; known.size < wanted && tries < 10_000; tries++) {
    const [column = 0, row = 0] = [0, 1].map(() => LEAST_PX + edgePx + random() * (MOST_PX - LEAST_PX - 2 * edgePx));
    const tile = tileAt(...lonLatOf(column, row), zoom);
    known.set(tile.join("/"), tile);
  }
  const tiles = [...known.values()];
  const size = Math.floor((tiles.length - COMPARED) / ROUNDS);
  return [
    tiles.slice(0, COMPARED),
    ...Array.from({ length: ROUNDS }, (_, round) =>
      tiles.slice(COMPARED + round * size, COMPARED + (round + 1) * size),
    ),
  ];
}

/** @throws {Error} when the pictures differ by more than the kinds of resampling do */
async function assertEqual(tile: Tile, ours: string, theirs: string): Promise<void> {
  const [mine, peer] = await Promise.all([pixelsOf(ours), pixelsOf(theirs)]);
  let [difference, both, alone] = [0, 0, 0];
  for (let at = 0; at < mine.length; at += 4) {
    const [hasMine, hasPeer] = [(mine[at + 3] ?? 0) > 127, (peer[at + 3] ?? 0) > 127];
    if (hasMine !== hasPeer) alone += 1;
    if (!hasMine || !hasPeer) continue;
    both += 1;
    for (let band = 0; band < 3; band++) difference += Math.abs((mine[at + band] ?? 0) - (peer[at + band] ?? 0)) / 3;
  }
  const levels = difference / both;
  const share = (4 * alone) / mine.length;
  const told = `${tile.join("/")}: ${levels.toFixed(2)} levels, ${(share * 100).toFixed(2)} % on one side only`;
  process.stdout.write(`  equal: ${told}\n`);
  if (!(levels <= MOST_LEVELS) || share > MOST_ALONE) throw new Error(`the sides drew different pictures: ${told}`);
}

async function pixelsOf(url: string): Promise<Buffer> {
  return await sharp(await bytesOf(url))
    .ensureAlpha()
    .raw()
    .toBuffer();
}

async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${body.toString().slice(0, 500)}`);
  return body;
}

/** A closed loop of `CONCURRENCY` clients over all addresses. */
async function load(urls: readonly string[]): Promise<{ perSecond: number; durationsMs: number[] }> {
  const durationsMs: number[] = [];
  const queue = [...urls];
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const requestMs = performance.now();
      await bytesOf(url);
      durationsMs.push(performance.now() - requestMs);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  return { perSecond: (urls.length * 1000) / (performance.now() - startedMs), durationsMs };
}
