import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { encodePng } from "@swath/raster/encode/image";
import type { Caller } from "../../../platform/context.ts";
import { pdfAttachments, pdfText, popplerInstalled } from "../../../platform/pdf/poppler-testing.ts";
import { newAnalysisId } from "../../analyses/analysis-id.ts";
import { EMPTY_OUTCOME } from "../../analyses/frame-outcome.ts";
import { writeFrames } from "../../analyses/frame-store.ts";
import { insertNew } from "../../analyses/insert-new.ts";
import { savedDocument } from "../../analyses/saved-document.ts";
import { boxPolygon, testScene } from "../../credits/testing.ts";
import { addProject, append, datapoint } from "../../datacube/testing.ts";
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

const READERS = [...RIGHTS, "datacube.datapoints.fields.ndvi_mean"];
interface SeriesBench {
  readonly b: MapBench;
  readonly caller: Caller;
  readonly token: string;
  readonly map: string;
}

/** A map over the area `near` of the project `fields`; 30 datapoints with a gap of a month, and others. */
async function seriesBench(stack: AsyncDisposableStack): Promise<SeriesBench> {
  const b = stack.use(await bench());
  const { token, caller } = await b.addUser("a@example.com", READERS);
  await addProject(b.db, "fields", ["near", "far"], caller.groupId);
  await sql`
    update datacube_aois set box = '((14,50),(14.1,50.1))',
      geometry = ${JSON.stringify({ type: "MultiPolygon", coordinates: [boxPolygon([14, 50, 14.1, 50.1]).coordinates] })}
    where project = 'fields' and aoi_id = 'near'`.execute(b.db);
  const days = Array.from({ length: 30 }, (_, day) => (day < 15 ? day : day + 30));
  const own = days.map((day) => datapoint("near", day, day / 100));
  const secret = days.map((day) => datapoint("near", day, 77, { algorithm: "secret" }));
  await append(b.db, "fields", [...own, ...secret, datapoint("far", 3, 55)]);
  const [scene] = scenes;
  const request = { mapTypes: ["ndvi"], sceneIds: [scene!.scene.sceneId], extent };
  const released = await b.run("/mapsvc/release", request, token);
  assert.equal(released.status, 200, released.text);
  return { b, caller, token, map: released.json.maps[0].mapId };
}

test("a report draws the series of the areas of its maps, says their gaps and has a table of the values", async () => {
  await using stack = new AsyncDisposableStack();
  const { b, token, map } = await seriesBench(stack);
  const report = await b.run("/mapsvc/pdf-report", { maps: [map], series: [{ project: "fields" }] }, token);
  assert.equal(report.status, 200, report.text);
  const [chart] = report.json.charts;
  assert.deepEqual([chart.name, chart.title, chart.unit], ["series-1-fields", "fields: ndvi_mean", ""]);
  const lines: readonly string[] = chart.csv.trimEnd().split("\r\n");
  assert.deepEqual([lines[0], lines.length], ["date,ndvi_mean", 31], "neither the far area nor the secret algorithm");
  assert.equal(lines[1], "2024-01-01 00:00:00,0");
  if (!popplerInstalled) return;
  const { pathname, search } = new URL(report.json.url);
  const pdf = new Uint8Array(await (await fetch(b.address + pathname + search)).arrayBuffer());
  assert.equal(pdfAttachments(pdf).get("series-1-fields.csv"), chart.csv);
  const text = pdfText(pdf);
  assert.match(text, /No value between 2024-01-15 and 2024-02-15 \(near ndvi_mean S2\)\./);
  assert.match(text, /date \(UTC\) +ndvi_mean/);
  assert.match(text, /2024-02-29 00:00:00 +0\.59/);
});

/** An analysis of one frame; its ID. */
async function analysisWith({ b, map }: SeriesBench, caller: Caller): Promise<string> {
  const id = newAnalysisId();
  const document = await savedDocument(null, { description: "Two fields" });
  await b.db.transaction().execute(async (trx) => {
    await insertNew(trx, caller, { id, path: "", isPublic: false, document, at: systemClock.now() });
    const outcome = { ...EMPTY_OUTCOME, results: { ndvi: [{ mapId: map, maxZoom: 14, tiles: [] }] } };
    const frame = { id: newAnalysisId(), scene: "{}", onlyIngested: false, outcome: JSON.stringify(outcome) };
    await writeFrames(trx, id, [{ ...frame, sceneId: scenes[0]!.scene.sceneId, finished: 1 }]);
  });
  return id;
}

test("a report of an analysis draws the series of the areas of its maps", async () => {
  await using stack = new AsyncDisposableStack();
  const made = await seriesBench(stack);
  const { b, caller, token } = made;
  const analysisId = await analysisWith(made, caller);
  const series = [{ project: "fields" }, { project: "fields", aoiIds: ["far"], title: "Far away" }];
  const report = await b.run("/mapsvc/pdf-report", { analysisId, series }, token);
  assert.equal(report.status, 200, report.text);
  const charts: readonly { name: string; title: string; csv: string }[] = report.json.charts;
  const [near, far] = charts.slice(-2);
  assert.deepEqual([near?.name, near?.title], ["series-1-fields", "fields: ndvi_mean"]);
  const lines = near!.csv.trimEnd().split("\r\n");
  assert.deepEqual([lines.length, lines.at(-1)], [31, "2024-02-29 00:00:00,0.59"], "the near area alone");
  assert.deepEqual([far?.title, far?.csv], ["Far away", "date,ndvi_mean\r\n2024-01-04 00:00:00,55\r\n"]);
  const fields = await b.run("/mapsvc/pdf-report", { maps: [made.map], series }, token);
  assert.deepEqual(fields.json.charts.slice(-2), charts.slice(-2), "as a report of the maps by name");

  const stranger = await b.addUser("b@example.com", READERS);
  const closed = await b.post("/mapsvc/pdf-report/initiate", { analysisId, series }, stranger.token);
  assert.deepEqual([closed.status, closed.json.error], [404, "NON-EXISTENT-ANALYSIS"]);
  const secret = [{ project: "fields", algorithms: ["secret"] }];
  const refused = await b.post("/mapsvc/pdf-report/initiate", { analysisId, series: secret }, token);
  assert.deepEqual([refused.status, refused.json.error], [401, "NOT-AUTHORIZED"]);
});

test("a report shows named areas, means by month and the datapoints of an earlier moment", async () => {
  await using stack = new AsyncDisposableStack();
  const { b, token, map } = await seriesBench(stack);
  const page = await b.post("/mapsvc/pdf-report/initiate", { maps: [map], series: [{ project: "fields" }] }, token);
  assert.equal(page.status, 200);
  const { rows } = await sql<{ at: string }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at`.execute(b.db);
  await append(b.db, "fields", [datapoint("far", 3, 66, { version: "v2" })]);
  const series = [
    { project: "fields", aoiIds: ["far"], title: "Far away" },
    { project: "fields", aggregate: { interval: "month", statistic: "count", by: "all" } },
    { project: "fields", aoiIds: ["far"], asOf: "2020-01-01 00:00:00" },
    { project: "fields", aoiIds: ["far"], asOf: rows[0]!.at },
  ];
  const report = await b.run("/mapsvc/pdf-report", { maps: [map], series }, token);
  const charts: readonly { title: string; csv: string }[] = report.json.charts;
  assert.equal(charts[0]!.title, "Far away");
  assert.equal(charts[0]!.csv, "date,ndvi_mean\r\n2024-01-04 00:00:00,66\r\n");
  assert.equal(charts[1]!.csv, "date,ndvi_mean\r\n2024-01-01 00:00:00,15\r\n2024-02-01 00:00:00,15\r\n");
  assert.equal(charts[2]!.csv, "date\r\n", "nothing was known in 2020");
  assert.doesNotMatch(charts[3]!.csv, /66/);
});

test("series without a right, of other groups and beyond the limits of a chart are refused or empty", async () => {
  await using stack = new AsyncDisposableStack();
  const { b, token, map } = await seriesBench(stack);
  const asked = (one: object, by = token) => b.post("/mapsvc/pdf-report/initiate", { maps: [map], series: [one] }, by);
  const named = await asked({ project: "fields", algorithms: ["secret"] });
  assert.deepEqual([named.status, named.json.error], [401, "NOT-AUTHORIZED"]);
  const never = await asked({ project: "fields", endDatetime: "2024-02-31 00:00:00" });
  assert.deepEqual([never.status, never.json.details[0].path], [422, "/series/0/endDatetime"]);
  const unknown = await asked({ project: "fields", version: "all" });
  assert.equal(unknown.status, 422);
  const hours = Array.from({ length: 2000 }, (_, day) => datapoint("far", day + 10, 1));
  await append(b.db, "fields", hours);
  const long = await asked({ project: "fields", aoiIds: ["far"] });
  assert.equal(long.status, 422);
  assert.match(long.json.details[0].message, /2001 datapoints, expected at most 2000/);
  const stranger = await b.addUser("b@example.com", READERS);
  const empty = await b.run("/mapsvc/pdf-report", { maps: [map], series: [{ project: "fields" }] }, stranger.token);
  assert.equal(empty.json.charts[0].csv, "date\r\n", "the project does not exist for other groups");
});
