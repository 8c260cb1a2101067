import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { zipOf } from "@swath/raster/archive/zip";
import { unzipped } from "../packages/raster/src/archive/testing.ts";
import { COAST_AREA, ingestCoast, upload } from "./main-job.ts";
import { RawClient, type Answer } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const PATH = "/analytics/analysis";
const MAX_FRAMES_BYTES = 8 * 1024 ** 2;
const MAX_ARCHIVED_MAPS = 200;
const NOTHING_ELSE = { innerPolygonsResults: {}, actionMeta: {}, failedActions: [], skippedActions: [], finishedActions: [], onlyIngested: false }; // prettier-ignore

let service: ServiceProcess;
let demo: RawClient;
let sceneId: string;

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  sceneId = await ingestCoast(demo);
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
});
after(async () => await service[Symbol.asyncDispose]());

async function imported(frames: readonly object[]): Promise<Answer> {
  const document = { format: "swath-analysis", version: 1, analysis: {}, frames };
  const body = new TextEncoder().encode(JSON.stringify(document));
  const filepath = await upload(demo, await zipOf([{ name: "analysis.json", body }]), ".zip");
  return await demo.run(`${PATH}/import`, { filepath });
}

const otherScene = (index: number) => ({
  sceneId: `local.uploads.${index.toString(16).padStart(32, "0")}`,
  datetime: "2026-01-01 00:00:00",
});

/** Frames whose maps another service has signed, about 4 KiB each. */
function largeFrames(count: number): readonly object[] {
  const mapId = `a.${"b".repeat(3900)}.c`;
  return Array.from({ length: count }, (_, i) => ({
    ...NOTHING_ELSE,
    scene: otherScene(i),
    results: { ndvi: [{ mapId, maxZoom: 14, tiles: [] }] },
  }));
}

test("frames that take more than 8 MiB are refused, and the ones before stay", async () => {
  const tooLarge = await imported(largeFrames(2150));
  assert.deepEqual([tooLarge.status, tooLarge.body.error], [424, "CONFLICT"], JSON.stringify(tooLarge.body));
  const [got, expected] = (tooLarge.body.errorMessage as string).match(/\d+/gu) ?? [];
  assert.equal(Number(expected), MAX_FRAMES_BYTES);
  assert.ok(Number(got) > MAX_FRAMES_BYTES, tooLarge.body.errorMessage);

  const count = Math.floor((2150 * MAX_FRAMES_BYTES) / Number(got));
  const full = await imported(largeFrames(count));
  assert.equal(full.status, 200, JSON.stringify(full.body).slice(0, 500));
  const { analysisId } = full.body;
  const added = await demo.run(`${PATH}/add-map-types`, {
    analysisId,
    mapTypes: Array.from({ length: 12 }, (_, i) => `expression:N-R*${i + 1}`),
    sceneIds: [sceneId],
    geometry: COAST_AREA,
  });
  assert.deepEqual([added.status, added.body.error], [424, "CONFLICT"], JSON.stringify(added.body));
  const { body } = await demo.post(`${PATH}/get`, { analysisId });
  assert.equal(body.analysisFrames.length, count);
  assert.ok(body.analysisFrames.every(({ scene }: { scene: { sceneId: string } }) => scene.sceneId !== sceneId));
});

test("an export has files of 200 maps and counts the others, which its document has", async () => {
  const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds: [sceneId], extent: COAST_AREA });
  const [{ mapId, maxZoom, tiles }] = released.body.maps;
  const count = MAX_ARCHIVED_MAPS + 3;
  const frames = Array.from({ length: count }, (_, i) => ({
    ...NOTHING_ELSE,
    scene: otherScene(i),
    results: { ndvi: [{ mapId, maxZoom, tiles }] },
  }));
  const { body: made, status } = await imported(frames);
  assert.deepEqual([status, made.unknownMaps], [200, 0], JSON.stringify(made).slice(0, 500));
  const { body } = await demo.run(`${PATH}/export`, { analysisId: made.analysisId });
  assert.deepEqual([body.maps, body.mapsWithoutFiles], [MAX_ARCHIVED_MAPS, 3], JSON.stringify(body));
  const files = await unzipped(new Uint8Array(await (await fetch(body.url)).arrayBuffer()));
  assert.equal([...files.keys()].filter((name) => name.startsWith("maps/")).length, MAX_ARCHIVED_MAPS);
  const document = JSON.parse(new TextDecoder().decode(files.get("analysis.json")));
  assert.equal(document.frames.length, count);
  // An archive at its bounds can be imported.
  const zip = new Uint8Array(await (await fetch(body.url)).arrayBuffer());
  const again = await demo.run(`${PATH}/import`, { filepath: await upload(demo, zip, ".zip") });
  assert.deepEqual([again.status, again.body.unknownMaps], [200, 0], JSON.stringify(again.body).slice(0, 500));
});
