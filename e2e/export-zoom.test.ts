import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { ingestCoast } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const SIDE_PX = 224;
const PIXEL_M = 10;
/** Almost all of the scene, at the equator, where pixels of Web Mercator have their size on the ground. */
const AREA = boundsPolygon([15.0005, 0.8855, 15.0195, 0.9035]);
const WIDTH_M = ((15.0195 - 15.0005) / 360) * 2 * Math.PI * 6_378_137;
const KINDS = ["png", "webp", "geotiff", "visu-geotiff", "ski"] as const;

let service: ServiceProcess;
let demo: RawClient;
let maps: readonly {
  readonly mapType: string;
  readonly mapId: string;
  readonly tiles: readonly (readonly number[])[];
}[];

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneIds: string[] = [];
  for (const [i, name] of ["coast_2024-03-01", "coast_2024-04-01"].entries()) {
    const value = (band: number, column: number, row: number): number =>
      500 + band * 300 + ((column * (7 + i) + row * 13) % 97) + (column > 100 + 20 * i ? 900 : 0);
    sceneIds.push(await ingestCoast(demo, coastGeotiff({ widthPx: SIDE_PX, heightPx: SIDE_PX, value }), name));
  }
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: AREA });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  const single = await demo.run("/mapsvc/release", {
    mapTypes: ["imagery", "ndvi"],
    sceneIds: sceneIds.slice(0, 1),
    extent: AREA,
  });
  const pair = await demo.run("/mapsvc/release", { mapTypes: ["change"], sceneIds, extent: AREA });
  for (const { status, body } of [single, pair]) assert.equal(status, 200, JSON.stringify(body));
  maps = [...single.body.maps, ...pair.body.maps];
});
after(async () => await service[Symbol.asyncDispose]());

test("a scene of 224 pixels and a pair of two export at the deepest zoom that is not finer than the scene", async () => {
  assert.deepEqual(maps.map(({ mapType }) => mapType).toSorted(), ["change", "imagery", "ndvi"]);
  for (const { mapId, mapType } of maps) {
    for (const gridFile of KINDS) {
      const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile, grid: "web" });
      const what = `${gridFile} of ${mapType}: ${JSON.stringify(body)}`;
      assert.equal(status, 200, what);
      assert.ok(body.widthPx <= SIDE_PX && body.heightPx <= SIDE_PX, what);
      // Each zoom halves the pixels. The bounds are rounded to whole pixels, at most two in about a hundred.
      const pixelM = WIDTH_M / body.widthPx;
      assert.ok(pixelM > 0.97 * PIXEL_M && pixelM < 2 * PIXEL_M, `${pixelM} m, ${what}`);
    }
  }
});

test("without grid and zoom every kind of file of a single scene and of a pair is made", async () => {
  for (const { mapId, mapType } of maps) {
    for (const gridFile of KINDS) {
      const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile });
      const what = `${gridFile} of ${mapType}: ${JSON.stringify(body)}`;
      assert.equal(status, 200, what);
      assert.ok(body.widthPx * body.heightPx <= SIDE_PX * SIDE_PX, what);
      const file = await fetch(body.url);
      assert.equal((await file.arrayBuffer()).byteLength, body.size, what);
    }
  }
});

test("a zip without a zoom has the coarsest tiles of the map where the scene is coarser than they are", async () => {
  for (const { mapId, mapType, tiles } of maps) {
    const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile: "zip" });
    assert.equal(status, 200, `${mapType}: ${JSON.stringify(body)}`);
    const picture = await demo.run("/mapsvc/export", { mapId, gridFile: "png", grid: "web" });
    const coarsest = Math.min(...tiles.map(([zoom]) => zoom!));
    assert.equal(body.zoom, Math.max(coarsest, picture.body.zoom), mapType);
  }
});
