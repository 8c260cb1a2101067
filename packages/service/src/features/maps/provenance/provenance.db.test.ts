import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { boxPolygon } from "../../credits/testing.ts";
import { exportBench, type ExportBench } from "../export/testing.ts";

const AREA = boxPolygon([9.01, 49.59, 9.1, 49.64]);

/** The scene of the bench once more, with other content. */
function changed(stored: StoredScene): StoredScene {
  return { ...stored, contentHash: "f".repeat(64) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
async function provenanceOf(from: ExportBench, mapType: string): Promise<any> {
  const { status, json, text } = await from.maps.post("/mapsvc/provenance/get", {
    mapId: from.byType.get(mapType)?.mapId,
  });
  assert.equal(status, 200, text);
  return json;
}

describe("provenance", () => {
  let bench: ExportBench;
  const opened = new AsyncDisposableStack();

  before(async () => {
    bench = opened.use(await exportBench());
  });
  after(async () => opened.disposeAsync());

  test("a map names its scenes with the hashes of their content, its versions, formula, area and pixels", async () => {
    const record = await provenanceOf(bench, "ndvi");
    const { scene, contentHash } = bench.stored;
    const { sceneId, provider, dataset, datetime } = scene;
    assert.deepEqual(record.scenes, [{ sceneId, provider, dataset, datetime, revision: 0, contentHash }]);
    assert.deepEqual([record.mapType.id, record.software.name], ["ndvi", "swath"]);
    assert.match(record.software.version, /^\d+\.\d+\.\d+$/);
    assert.match(record.algorithm.parameters.formula, /N.*R/);
    assert.deepEqual(record.models, []);
    assert.equal(record.geometry.type, "MultiPolygon");
    assert.match(record.pixels.sha256, /^[0-9a-f]{64}$/);
    assert.ok(Math.max(record.pixels.widthPx, record.pixels.heightPx) <= 257);
    assert.notEqual((await provenanceOf(bench, "imagery")).pixels.sha256, record.pixels.sha256);
  });

  test("metadata.json, statistics and animations name the record of the map", async () => {
    const { mapId } = bench.byType.get("ndvi")!;
    const record = await provenanceOf(bench, "ndvi");
    const { geometry: _geometry, mapId: _mapId, ...members } = record;
    const metadata = await bench.maps.get(`/mapsvc/grid/${mapId}/-/metadata.json`);
    assert.deepEqual(metadata.json.provenance, members);
    const reference = {
      mapType: "ndvi",
      sceneId: bench.stored.scene.sceneId,
      provenanceId: record.provenanceId,
    };
    const { token } = await bench.maps.addUser("s@example.com", ["mapsvc.statistics", "mapsvc.release"]);
    const statistics = await bench.maps.run("/mapsvc/statistics", { areas: AREA, mapIds: [mapId] }, token);
    assert.deepEqual(statistics.json.provenance, [reference], statistics.text);
    const animation = await bench.maps.run("/mapsvc/timelapse", { mapIds: [mapId], longestSidePx: 64 }, token);
    assert.deepEqual(animation.json.provenance, [reference], animation.text);
  });

  test("the same inputs give the same record elsewhere, another content gives another", async () => {
    await using same = await exportBench();
    await using other = await exportBench(changed);
    const [first, second, third] = [
      await provenanceOf(bench, "imagery"),
      await provenanceOf(same, "imagery"),
      await provenanceOf(other, "imagery"),
    ];
    assert.deepEqual(second, first);
    assert.notEqual(third.provenanceId, first.provenanceId);
    assert.equal(third.pixels.sha256, first.pixels.sha256, "the pixels are the same");
  });

  test("a wrong map ID is refused", async () => {
    const { status, json } = await bench.maps.post("/mapsvc/provenance/get", { mapId: "x" });
    assert.deepEqual([status, json.error], [400, "INVALID-MAP-ID"]);
  });
});
