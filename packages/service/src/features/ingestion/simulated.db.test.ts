import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { mbr } from "@swath/kernel/geometry/mbr";
import { storeTileGrid, storeTilePolygon, type StoreTile } from "@swath/kernel/tiles/store-tile";
import type { Caller } from "../../platform/context.ts";
import { openStoredRaster } from "@swath/raster/store/stored-raster";
import { createSimulatorSource } from "@swath/simulator/simulator-source";
import type { SceneSource } from "@swath/raster/source/scene-source";
import { ALICE, ingestionBench } from "./testing.ts";
import { boundTo } from "./source-testing.ts";

const clock = { now: () => new Date("2026-06-01T00:00:00Z") };
const idle = new AbortController().signal;
const ANYTHING: Caller = { ...ALICE, permissions: new Set(["imagery.images"]) };
const quiet = { caller: ANYTHING, signal: idle, report: async (): Promise<void> => {} };

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

const AREA = box(153.0313, -27.5107, 153.2346, -27.3279);
/** Tiles of a kilometre in the middle of it, neighbours. */
const HERE: StoreTile = [513, 6967];
const BESIDE: StoreTile = [514, 6967];

/** Ground in the middle of a tile of a kilometre. */
function within(tile: StoreTile): MultiPolygon {
  const [west, south, east, north] = mbr(storeTilePolygon(tile, storeTileGrid(32_756, 5)));
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return box(x - 0.001, y - 0.001, x + 0.001, y + 0.001);
}

/** A clear scene of the demonstration area of half a metre. */
async function clearScene(source: SceneSource): Promise<Scene> {
  const { scenes } = await source.search(
    {
      provider: "optical-legacy",
      dataset: "idaho-pansharpened",
      extent: AREA,
      boxes: [[153.0313, -27.5107, 153.2346, -27.3279]],
      fromMs: Date.UTC(2018, 0, 1),
      toMs: Date.UTC(2018, 1, 1),
      after: null,
      limit: 1000,
    },
    idle,
  );
  const whole = scenes.filter(
    ({ cloudCover, footprint }) =>
      (cloudCover ?? 1) < 0.05 && areaKm2(intersection(AREA, footprint)) > areaKm2(AREA) * 0.9999,
  );
  const [scene] = whole.filter(({ bands, crsEpsg }) => crsEpsg === 32_756 && bands.every(({ gsd }) => gsd === 0.5));
  assert.ok(scene !== undefined);
  return scene;
}

test("of a scene of gigapixels the square kilometres that are needed are drawn, and requests are answered meanwhile", async (t) => {
  await using source = createSimulatorSource({ clock });
  await using bench = await ingestionBench({ sources: boundTo(source), clock });
  const scene = await clearScene(source);

  const server = createServer((_request, response) => response.end("here"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const ending = new AbortController();
  let answered = 0;
  const asking = (async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const answer = await fetch(`http://127.0.0.1:${address.port}/`);
      assert.equal(await answer.text(), "here");
      if (!ending.signal.aborted) answered += 1;
    }
  })();
  delay.enable();
  const startMs = performance.now();
  const first = await bench.ingestion.ensureStored(
    { sceneId: scene.sceneId, extent: within(HERE), tiles: null },
    quiet,
  );
  const tookMs = performance.now() - startMs;
  delay.disable();
  ending.abort();
  await asking;
  server.closeAllConnections();
  server.close();
  const pixels = first.raster.bands.reduce((sum, { widthPx, heightPx }) => sum + widthPx * heightPx, 0);
  t.diagnostic(
    `${(pixels / 1e6).toFixed(1)} M pixels in ${(tookMs / 1000).toFixed(1)} s, ${answered} requests answered, ` +
      `longest stall ${(delay.max / 1e6).toFixed(0)} ms`,
  );
  // Several times the rounds that the pipeline itself takes of the event loop.
  assert.ok(answered > 20, `${answered} requests answered`);

  assert.equal(first.raster.tileDivisor, 5);
  assert.deepEqual(first.raster.tiles, [HERE]);
  assert.ok(Math.abs(first.scene.areaKm2 - scene.areaKm2) < 0.01, "the scene itself stays as large");
  const [band] = first.raster.bands;
  assert.ok(band !== undefined && band.statistics.validPixels > 2e6, `${band?.statistics.validPixels} pixels`);
  const [column, row] = [Math.floor(band.widthPx / 2), Math.floor(band.heightPx / 2)];
  const [x, y] = [
    column * band.geotransform[0] + band.geotransform[2],
    row * band.geotransform[4] + band.geotransform[5],
  ];

  const info = await bench.imagery.sceneInfo({ sceneId: scene.sceneId, forceOffline: true });
  assert.ok(info.areaKm2 > 0.99 && info.areaKm2 < 1.01, `${info.areaKm2} km2 are in the store`);

  const before = await valueAt(bench, first.raster.bands, x, y);
  const both = await bench.ingestion.ensureStored(
    { sceneId: scene.sceneId, extent: within(BESIDE), tiles: null },
    quiet,
  );
  assert.deepEqual(both.raster.tiles, [HERE, BESIDE]);
  assert.equal(await valueAt(bench, both.raster.bands, x, y), before, "what was there stays");
  assert.ok(before > 0);
});

async function valueAt(
  { blobs }: Pick<Awaited<ReturnType<typeof ingestionBench>>, "blobs">,
  bands: Parameters<typeof openStoredRaster>[1],
  x: number,
  y: number,
): Promise<number> {
  const [band] = bands;
  assert.ok(band !== undefined);
  await using raster = await openStoredRaster(blobs, [band]);
  const column = Math.round((x - band.geotransform[2]) / band.geotransform[0]);
  const row = Math.round((y - band.geotransform[5]) / band.geotransform[4]);
  const [pixels] = await raster.readRows(row, 1, idle);
  return pixels?.[column] ?? -1;
}
