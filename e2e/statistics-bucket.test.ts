import assert from "node:assert/strict";
import { test } from "node:test";
import { openS3BlobStore } from "@swath/base/blobs/s3-blob-store";
import { createProjection } from "../packages/kernel/src/crs/projection.ts";
import { GATEWAY_COMMAND, S3Gateway } from "./chaos/s3-gateway.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const SIDE_PX = 20;
const AREAS = 42;
const utm = createProjection("+proj=utm +zone=33 +datum=WGS84 +units=m");

/** Upper left pixel of an area, on the land of `coastGeotiff`. */
const cornerOf = (index: number): readonly [column: number, row: number] => [
  105 + (index % 6) * (SIDE_PX + 3),
  20 + Math.floor(index / 6) * (SIDE_PX + 3),
];

function square(index: number): object {
  const [column, row] = cornerOf(index);
  const at = (right: number, down: number) => utm.inverse(500_000 + (column + right) * 10, 100_000 - (row + down) * 10);
  const ring = [at(0, SIDE_PX), at(SIDE_PX, SIDE_PX), at(SIDE_PX, 0), at(0, 0), at(0, SIDE_PX)];
  return { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } };
}

function meanNdvi(index: number): number {
  const [left, top] = cornerOf(index);
  let sum = 0;
  for (let row = top; row < top + SIDE_PX; row++) {
    for (let column = left; column < left + SIDE_PX; column++) {
      sum += 3000 / (4000 + 2 * ((column * 7 + row * 13) % 31));
    }
  }
  return sum / SIDE_PX ** 2;
}

test("statistics read the pixels of scenes and results that are in a bucket", async (t) => {
  await using gateway = await S3Gateway.start();
  if (gateway === null) return t.skip(`versitygw is not installed: ${GATEWAY_COMMAND}`);
  await using service = await ServiceProcess.start(gateway.settings);
  const login = async (): Promise<RawClient> => await new RawClient(service.baseUrl).login(DEMO);
  let demo = await login();
  const sceneId = await ingestCoast(demo);
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  // Another process has nothing of the scene in memory.
  await service.stop();
  await service.start();
  demo = await login();
  const areas = { type: "FeatureCollection", features: Array.from({ length: AREAS }, (_, i) => square(i)) };
  const request = { areas, mapTypes: ["ndvi", "water"], sceneIds: [sceneId], cloudFree: false };
  const { status, body } = await demo.run("/mapsvc/statistics", request);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.counts, body.failed], [{ areas: AREAS, maps: 2, rows: 2 * AREAS }, []]);
  for (const { area, mapType, count, mean, classes } of body.rows) {
    const place = `${mapType} of area ${area}`;
    assert.ok(Math.abs(count - SIDE_PX ** 2) < 1, `${count} pixels, ${place}`);
    if (mapType === "ndvi") assert.ok(Math.abs(mean - meanNdvi(Number(area))) < 1e-5, `${mean}, ${place}`);
    else assert.equal(classes.water.areaKm2, 0, place);
  }
  const lines = (await (await fetch(body.url)).text()).trim().split("\r\n");
  // A header, and for each area a line of the index and one for each of two classes.
  assert.equal(lines.length, 1 + 3 * AREAS);
  await using bucket = openS3BlobStore(gateway.store);
  const kinds = new Set<string>();
  for await (const { key } of bucket.list("")) kinds.add(key.split("/")[0] ?? "");
  for (const kind of ["scenes", "results", "downloads"]) assert.ok(kinds.has(kind), `${kind} of ${[...kinds].join()}`);
});
