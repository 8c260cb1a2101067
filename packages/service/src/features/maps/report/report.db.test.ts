import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { encodePng } from "@swath/raster/encode/image";
import { boxPolygon, testScene } from "../../credits/testing.ts";
import { mapBench, type MapBench } from "../testing.ts";

const RIGHTS = ["mapsvc.release", "analytics.analysis.download.report", "imagery.images", "algorithms"];
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const scenes = ["2024-06-30 10:15:00", "2024-07-10 10:15:00"].map((datetime, i) => {
  const stored = testScene(`s${i}`, { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" });
  return { ...stored, scene: { ...stored.scene, datetime } };
});

async function bench(): Promise<MapBench> {
  const made = await mapBench(scenes, systemClock);
  const png = await encodePng({ data: new Uint8Array(16 * 16 * 4).fill(99), widthPx: 16, heightPx: 16 });
  made.renderer.answer = ({ fileName }) => {
    const json = fileName === "area.json" ? { valid: 12_500_000 } : { statistics: { mean: 0.375, std: 0.1 } };
    return fileName.endsWith(".json")
      ? { kind: "file", mediaType: "application/json", body: new TextEncoder().encode(JSON.stringify(json)) }
      : { kind: "file", mediaType: "image/png", body: png };
  };
  return made;
}

test("released maps become a report behind a signed address", async () => {
  await using b = await bench();
  const { token } = await b.addUser("a@example.com", RIGHTS);
  const sceneIds = scenes.map(({ scene }) => scene.sceneId);
  const released = await b.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds, extent }, token);
  const maps = released.json.maps.map(({ mapId }: { mapId: string }) => mapId);
  assert.equal(maps.length, 2);
  const report = await b.run("/mapsvc/pdf-report", { maps, title: "Two dates", notes: "one\ntwo" }, token);
  assert.equal(report.status, 200, report.text);
  assert.equal(report.json.pages, 5, "title, two maps, a chart over the two dates, attributions");
  assert.deepEqual(report.json.charts, [
    {
      name: "ndvi",
      title: "Normalized Difference Vegetation Index over time",
      unit: "mean",
      csv: "date,mean\r\n2024-06-30 10:15:00,0.375\r\n2024-07-10 10:15:00,0.375\r\n",
    },
  ]);
  const { pathname, search } = new URL(report.json.url);
  const file = await b.get(pathname + search);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get("content-type"), "application/pdf");
  assert.equal(Number(file.headers.get("content-length")), report.json.size);
  assert.ok(file.text.startsWith("%PDF-"));
  const etag = file.headers.get("etag") ?? "";
  assert.equal((await b.get(pathname + search, { "if-none-match": etag })).status, 304);
  const forged = search.replace(/signature=.{4}/, "signature=AAAA");
  assert.equal((await b.get(pathname + forged)).status, 401);
  const later = search.replace(/expires=\d+/, "expires=9999999999");
  assert.equal((await b.get(pathname + later)).status, 401);
  assert.equal((await b.get(pathname.replace("report.pdf", "other.pdf") + search)).status, 401);
});

test("maps that are not ours, no maps and unknown analyses are refused", async () => {
  await using b = await bench();
  const { token } = await b.addUser("a@example.com", RIGHTS);
  const { token: powerless } = await b.addUser("b@example.com", ["mapsvc.release"]);
  const refused = async (body: object, by = token): Promise<unknown> => {
    const { status, json } = await b.post("/mapsvc/pdf-report/initiate", body, by);
    return [status, json.error];
  };
  assert.deepEqual(await refused({ maps: ["a.b.c"] }), [400, "INVALID-MAP-ID"]);
  assert.deepEqual(await refused({}), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refused({ maps: [] }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refused({ analysisId: "abc" }), [404, "NON-EXISTENT-ANALYSIS"]);
  assert.deepEqual(await refused({ maps: ["a"] }, powerless), [401, "NOT-AUTHORIZED"]);
});
