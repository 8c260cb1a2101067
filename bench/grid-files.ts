import { COAST_AREA, ingestCoast } from "../e2e/main-job.ts";
import { RawClient } from "../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { processorMs } from "../packages/base/src/processes/processor-time.ts";
import type { PlacedObject } from "../packages/maps/src/analysis/placed-object.ts";
import { createMapTypes } from "../packages/maps/src/registry.ts";
import { renderInProcess } from "../packages/maps/src/render/render-in-process.ts";
import { gridRequest, sceneFixture, tileAt, type SceneFixture } from "../packages/maps/src/render/testing.ts";
import { landscape } from "../packages/raster/src/testing/landscape.ts";
import { rawLoad } from "./raw-load.ts";
import { median, printP95, quantile } from "./statistics.ts";

const mapTypes = createMapTypes([]);

const SIZE = 4000;
const ZOOM = 13;
/** Tiles of each file, none asked for twice. */
const TILES = 12;
const CACHED_SECONDS = 8;
const CONNECTIONS = 32;
/** Objects of a tile, for files of objects. */
const OBJECTS = 200;

interface Family {
  readonly mapType: string;
  readonly kind: "optical" | "radar" | "gray" | "result";
}

/** One map type of each family of contents. */
const FAMILIES: Readonly<Record<string, Family>> = {
  optical: { mapType: "imagery", kind: "optical" },
  radar: { mapType: "imagery", kind: "radar" },
  gray: { mapType: "imagery", kind: "gray" },
  index: { mapType: "ndvi", kind: "optical" },
  classes: { mapType: "wrunc", kind: "result" },
  objects: { mapType: "ships", kind: "result" },
  change: { mapType: "change-series", kind: "result" },
  "class-change": { mapType: "wrunc-change", kind: "result" },
  rain: { mapType: "precipitation", kind: "result" },
  plumes: { mapType: "methane", kind: "result" },
};

/** A square of 40 km with what the map type reads: bands of noise on waves, or patches of classes with ragged edges. */
async function fixtureOf({ mapType, kind }: Family): Promise<SceneFixture> {
  const rendering = mapTypes.find(mapType)?.rendering;
  if (rendering === undefined) throw new Error(`no map type ${mapType}`);
  const pixels = SIZE * SIZE;
  const size = { widthPx: SIZE, heightPx: SIZE };
  const noise = (seed: number, scale: number): Uint16Array => landscape(new Uint16Array(pixels), SIZE, seed, scale);
  if (kind === "optical" || kind === "gray") {
    const seeds = kind === "gray" ? [0] : [0, 1, 2, 3];
    return await sceneFixture({
      ...size,
      bands: seeds.map((seed) => noise(seed, 5000)),
      roles: kind === "gray" ? ["P"] : ["B", "G", "R", "N"],
      quantity: "reflectance",
      reflectanceMult: 1e-4,
      nodata: 0,
    });
  }
  if (kind === "radar") {
    return await sceneFixture({
      ...size,
      bands: [0, 1].map((seed) => Float32Array.from(noise(seed, 1000), (value) => value / 5000)),
      roles: ["VV", "VH"],
      quantity: "backscatter-linear",
      nodata: Number.NaN,
    });
  }
  if (rendering.kind !== "result") throw new Error(`map type ${mapType} is no analysis`);
  const shared = noise(5, 1000);
  const bands = rendering.layers.map((layer) => {
    if (layer.kind === "values") {
      const [low, high] = layer.range;
      return Float32Array.from(shared, (value) => low + ((high - low) * value) / 1000);
    }
    return Uint8Array.from(
      shared,
      (value, i) =>
        1 +
        ((Math.floor(((i % SIZE) + value / 100) / 30) + Math.floor((i / SIZE + value / 100) / 30)) %
          layer.classes.length),
    );
  });
  const isClass = bands.every((band) => band instanceof Uint8Array);
  return await sceneFixture({
    ...size,
    bands,
    roles: bands.map(() => null),
    quantity: isClass ? "class" : "other",
    nodata: isClass ? 0 : Number.NaN,
  });
}

function someObjects(): readonly PlacedObject[] {
  return Array.from({ length: OBJECTS }, (_, i) => {
    const [lon, lat] = [9.05 + i / 10_000, 49.6 + i / 20_000];
    return {
      ring: [
        [lon, lat],
        [lon + 0.001, lat],
        [lon + 0.001, lat + 0.0005],
        [lon, lat + 0.0005],
        [lon, lat],
      ],
      centre: [lon + 0.0005, lat + 0.000_25],
      properties: { class: "ship", confidence: 0.9, area: 3000 + i, length: 80.5, width: 20.25, azimuth: i },
    };
  });
}

interface Drawn {
  readonly suffix: string;
  readonly wallMs: number;
}

/** Every file of a map type, each tile drawn from pixels that nobody has read before. */
async function cold(name: string, family: Family): Promise<readonly Drawn[]> {
  const { mapType } = family;
  await using fixture = await fixtureOf(family);
  const first = tileAt(9.05, 49.6, ZOOM);
  const windows = Array.from({ length: TILES }, (_, i) => ({
    ...first,
    x: first.x + (i % 4),
    y: first.y + Math.floor(i / 4),
  }));
  const objects = someObjects();
  const all: Drawn[] = [];
  for (const [suffix, files] of Object.entries(mapTypes.find(mapType)?.gridFiles ?? {})) {
    for (const file of files) {
      const wallMs: number[] = [];
      const cpuMs: number[] = [];
      using renderer = renderInProcess(fixture.local, 0);
      // The first file also loads code.
      for (const [index, window] of [windows[0]!, ...windows].entries()) {
        const startMs = performance.now();
        const startCpu = process.cpuUsage();
        const request = gridRequest(fixture.stored, mapType, file, window, { result: { objects, metadata: {} } });
        const drawn = await renderer.render(request);
        if (drawn.kind !== "file") throw new Error(`${mapType} ${file}: ${drawn.kind}`);
        const { user, system } = process.cpuUsage(startCpu);
        if (index === 0) continue;
        wallMs.push(performance.now() - startMs);
        cpuMs.push((user + system) / 1000);
      }
      all.push(...wallMs.map((ms) => ({ suffix, wallMs: ms })));
      process.stdout.write(
        `cold ${name} ${file}: median ${median(wallMs).toFixed(0)} ms, p95 ${quantile(wallMs, 0.95).toFixed(0)} ms; CPU median ${median(cpuMs).toFixed(0)} ms\n`,
      );
    }
  }
  return all;
}

/** Requests per second of tiles that are in memory, through the whole service. */
async function cached(): Promise<void> {
  await using service = await ServiceProcess.start();
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  if (allocated.status !== 200) throw new Error(JSON.stringify(allocated.body));
  const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [sceneId], extent: COAST_AREA };
  const { body } = await demo.run("/mapsvc/release", request);
  for (const map of body.maps) {
    const [z, x, y] = map.tiles[0];
    for (const name of map.mapType === "ndvi" ? ["metadata.json", "ndvi.png"] : ["truecolor.png"]) {
      const url = `${service.baseUrl}/mapsvc/grid/${map.mapId}/-/${z}/${x}/${y}/${name}`;
      const size = (await (await fetch(url)).arrayBuffer()).byteLength;
      const startCpuMs = processorMs(service.pid) ?? NaN;
      const { requests, requestsPerSecond } = await rawLoad({ url }, CONNECTIONS, CACHED_SECONDS);
      const cpuMs = (processorMs(service.pid) ?? NaN) - startCpuMs;
      process.stdout.write(
        `cached ${map.mapType} ${name} (${size} bytes): ${requestsPerSecond.toFixed(0)} a second; ${((1000 * cpuMs) / requests).toFixed(0)} µs of CPU each\n`,
      );
    }
  }
}

/** Files of tiles: drawn from cold pixels, and again from memory over HTTP. The figure is that of the slowest kind of file. */
export async function run(): Promise<void> {
  const only = process.argv.slice(3);
  if (only[0] === "cached") {
    await cached();
    return;
  }
  const drawn: Drawn[] = [];
  for (const [name, family] of Object.entries(FAMILIES)) {
    if (only.length > 0 && !only.includes(name)) continue;
    drawn.push(...(await cold(name, family)));
  }
  let slowestMs = 0;
  for (const [suffix, files] of Map.groupBy(drawn, (file) => file.suffix)) {
    const wallMs = files.map((file) => file.wallMs);
    const p95Ms = quantile(wallMs, 0.95);
    slowestMs = Math.max(slowestMs, p95Ms);
    process.stdout.write(`cold ${suffix}: median ${median(wallMs).toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms\n`);
  }
  if (only.length === 0) await cached();
  printP95("grid-files", slowestMs);
}
