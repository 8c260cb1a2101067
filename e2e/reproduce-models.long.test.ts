import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { EXIT } from "../packages/cli/src/exit-code.ts";
import { documentOf, modelFolder } from "../packages/maps/src/models/runtime/model-folder-testing.ts";
import { blobDetector } from "../packages/maps/src/models/runtime/onnx-testing.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { swath, swathDone } from "./swath-command.ts";

const SIDE_PX = 128;

/** A folder of one model that finds squares of bright pixels. */
const squaresOf = (bytes: Uint8Array) => ({
  bytes,
  document: documentOf(bytes, SIDE_PX, {
    id: "squares",
    input: { dtype: "float32", size: [SIDE_PX, SIDE_PX], scale: 1 / 8000, valueRange: "byte" },
    gsd: { train: 10, min: 5, max: 20 },
    maxObjectM: 50,
  }),
});

suite("maps of analyses, computed again", () => {
  const opened = new AsyncDisposableStack();
  const first = squaresOf(blobDetector(SIDE_PX, 5, null));
  let models: Awaited<ReturnType<typeof modelFolder>>;
  let service: ServiceProcess;
  let demo: RawClient;

  before(async () => {
    models = opened.use(await modelFolder({ squares: first }));
    service = opened.use(await ServiceProcess.start({ SWATH_MODELS: models.folder }));
    demo = await new RawClient(service.baseUrl).login(DEMO);
  });
  after(async () => await opened.disposeAsync());

  async function release(mapType: string, sceneId: string, extent: object): Promise<string> {
    const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: extent });
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
    const { body } = await demo.run("/mapsvc/release", { mapTypes: [mapType], sceneIds: [sceneId], extent });
    assert.deepEqual(body.failed, []);
    return body.maps[0].mapId;
  }

  /** The clearest scene of the simulated world. */
  async function clearest([provider, dataset]: readonly [string, string], extent: object): Promise<string> {
    const found = await demo.run("/imagery/search", {
      datasets: [{ provider, dataset }],
      extent,
      startDatetime: "2023-01-01 00:00:00",
      endDatetime: "2024-01-01 00:00:00",
      minIntersection: 1,
    });
    const scenes: readonly { readonly sceneId: string; readonly cloudCover: number }[] = found.body.results;
    return scenes.toSorted((a, b) => a.cloudCover - b.cloudCover)[0]?.sceneId ?? "no scene";
  }

  const cases: readonly (readonly [mapType: string, dataset: readonly [string, string], area: Bounds])[] = [
    ["land-cover", ["ee", "COPERNICUS/S2_SR_HARMONIZED"], [2.25, 41.385, 2.27, 41.405]],
    ["cars", ["ab", "pleiades-neo"], [153.1292, -27.4208, 153.1308, -27.4192]],
  ];
  for (const [mapType, dataset, bounds] of cases) {
    test(`the command makes a map of ${mapType} again with equal pixels`, async () => {
      const area = boundsPolygon(bounds);
      const mapId = await release(mapType, await clearest(dataset, area), area);
      const { json } = await swathDone(service, "--json", "reproduce", mapId);
      assert.deepEqual([json.outcome, json.changes], ["equal", []]);
      assert.match(json.sha256, /^[0-9a-f]{64}$/);
      assert.equal(json.sha256, json.expectedSha256);
    });
  }

  test("another file of a model is named with both digests, and nothing is computed", async () => {
    const sceneId = await ingestCoast(demo);
    const mapId = await release("model-squares", sceneId, COAST_AREA);
    assert.equal((await swathDone(service, "--json", "reproduce", mapId)).json.outcome, "equal");

    const other = squaresOf(blobDetector(SIDE_PX, 9, null));
    const shaOf = ({ document }: typeof other) => (document as unknown as { readonly sha256: string }).sha256;
    writeFileSync(join(models.folder, "squares", "model.onnx"), other.bytes);
    writeFileSync(join(models.folder, "squares", "manifest.json"), JSON.stringify(other.document));
    await service.stop();
    await service.start();
    const answer = await swath(service, "--json", "reproduce", mapId);
    assert.equal(answer.status, EXIT.notReproduced, answer.stderr);
    assert.deepEqual([answer.json.outcome, answer.json.sha256], ["inputs-changed", null]);
    assert.deepEqual(
      answer.json.changes.filter(({ input }: { readonly input: string }) => input === "model"),
      [{ input: "model", id: "squares", expected: shaOf(first), got: shaOf(other) }],
    );
  });

  test("stored pixels that were replaced make other pixels, and lost ones name their scene", async () => {
    const other = await ingestCoast(demo, coastGeotiff({ value: (band, column) => 100 + band * 50 + column }));
    const sceneId = await ingestCoast(demo);
    const mapIds = [await release("ndvi", sceneId, COAST_AREA), await release("water", sceneId, COAST_AREA)];
    const { body: record } = await demo.post("/mapsvc/provenance/get", { mapId: mapIds[0] });
    const scenes = join(service.folder, "blobs", "scenes");
    const folderOf = async (scene: string) => join(scenes, scene, (await readdir(join(scenes, scene)))[0] ?? "none");
    const own = await folderOf(sceneId);

    await service.stop();
    await cp(await folderOf(other), own, { recursive: true, force: true });
    await service.start();
    for (const mapId of mapIds) {
      const { json, status } = await swath(service, "--json", "reproduce", mapId);
      assert.deepEqual([status, json.outcome, json.changes], [EXIT.notReproduced, "different", []]);
      assert.notEqual(json.sha256, json.expectedSha256);
    }

    await service.stop();
    await rm(own, { recursive: true });
    await service.start();
    const gone = { input: "scene", id: sceneId, expected: record.scenes[0].contentHash, got: null };
    for (const mapId of mapIds) {
      const { json, status, stderr } = await swath(service, "--json", "reproduce", mapId);
      assert.equal(status, EXIT.notReproduced, stderr);
      assert.deepEqual([json.outcome, json.sha256, json.changes], ["inputs-changed", null, [gone]]);
    }
  });
});
