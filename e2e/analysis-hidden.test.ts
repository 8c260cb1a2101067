import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { pdfText, popplerInstalled } from "../packages/service/src/platform/pdf/poppler-testing.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const PATH = "/analytics/analysis";
const PASSWORD = "a password of eight or more";
/** A parking area of the simulated world. */
const AREA = boundsPolygon([153.1292, -27.4208, 153.1308, -27.4192]);
const VIEWER_RIGHTS = ["analytics", "mapsvc.release", "mapsvc.statistics"];

let service: ServiceProcess;
let demo: RawClient;
let viewer: RawClient;
let sceneId: string;
let analysisId: string;

interface Feature {
  readonly properties: { readonly featureId: string };
}

before(async () => {
  service = await ServiceProcess.start();
  const anonymous = new RawClient(service.baseUrl);
  demo = await anonymous.login(DEMO);
  const viewerId = await newUser(anonymous);
  const found = await demo.run("/imagery/search", {
    datasets: [{ provider: "ab", dataset: "pleiades-neo" }],
    extent: AREA,
    startDatetime: "2023-01-01 00:00:00",
    endDatetime: "2024-01-01 00:00:00",
    minIntersection: 0.9,
  });
  const clearest = found.body.results.toSorted(
    (a: { cloudCover: number }, b: { cloudCover: number }) => a.cloudCover - b.cloudCover,
  );
  ({ sceneId } = clearest[0]);
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: AREA });
  const analysis = {
    description: "Cars of a Sunday",
    polygon: { type: "Feature", properties: { name: "Car park" }, geometry: AREA },
    viewers: [viewerId],
  };
  ({ analysisId } = (await demo.post(`${PATH}/create-or-update`, { analysis })).body);
  const added = await demo.run(`${PATH}/add-map-types`, {
    analysisId,
    sceneIds: [sceneId],
    mapTypes: ["cars"],
    geometry: AREA,
  });
  assert.equal(added.status, 200, JSON.stringify(added.body));
});
after(async () => await service[Symbol.asyncDispose]());

async function newUser(anonymous: RawClient): Promise<string> {
  const admin = await anonymous.login(ADMIN);
  const { body: organization } = await admin.post("/organization/create", { name: "Viewers" });
  const { body: group } = await admin.post("/group/create", {
    organizationId: organization.id,
    name: "Viewers",
    permissions: VIEWER_RIGHTS,
    licenseEnd: "2099-01-01T00:00:00Z",
  });
  const user = { email: "viewer@swath.example", name: "Viewer", password: PASSWORD };
  const { body } = await admin.post("/user/organization/create-user", {
    ...user,
    groupId: group.id,
    isManager: false,
    accounting: group.id,
  });
  viewer = await anonymous.login(user);
  return body.id;
}

/** The map of cars as an analysis shows it. */
async function mapOf(client: RawClient, id: string): Promise<string> {
  const { body, status } = await client.post(`${PATH}/get`, { analysisId: id });
  assert.equal(status, 200, JSON.stringify(body));
  return body.analysisFrames[0].results.cars[0].mapId;
}

// oxlint-disable-next-line typescript/no-explicit-any -- files are read as any client reads them
async function json(mapId: string, name: string): Promise<any> {
  const answer = await demo.get(`/mapsvc/grid/${mapId}/-/${name}`);
  return answer.status === 200 ? await answer.json() : { status: answer.status, ...((await answer.json()) as object) };
}

async function shown(mapId: string): Promise<readonly string[]> {
  const { features } = await json(mapId, "detections.geojson");
  return features.map(({ properties }: Feature) => properties.featureId);
}

async function hide(hiddenFeatures: readonly unknown[]): Promise<void> {
  const { status, body } = await demo.post(`${PATH}/create-or-update`, { analysisId, analysis: { hiddenFeatures } });
  assert.equal(status, 200, JSON.stringify(body));
}

test("features that an analysis hides are absent from files, counts and exports of its maps at once", async () => {
  const mapId = await mapOf(demo, analysisId);
  const all = await shown(mapId);
  assert.ok(all.length > 10, `${all.length} cars`);
  const { objects } = await json(mapId, "metadata.json");
  assert.equal(objects, all.length);
  const file = `/mapsvc/grid/${mapId}/-/detections.geojson`;
  const etag = (await demo.get(file)).headers.get("etag") ?? "";
  assert.equal((await demo.get(file, { "if-none-match": etag })).status, 304);

  const [first = "", second = "", ...others] = all;
  await hide([first, { featureId: second, by: "a person" }, { note: "hides nothing" }]);
  const changed = await demo.get(file, { "if-none-match": etag });
  assert.deepEqual([changed.status, changed.headers.get("cache-control")], [200, "public, no-cache"]);
  assert.deepEqual(await shown(mapId), others);
  assert.equal((await json(mapId, "metadata.json")).objects, others.length);

  const exported = await demo.run("/mapsvc/export", { mapId, gridFile: "geojson" });
  const downloaded = (await (await fetch(exported.body.url)).json()) as { readonly features: readonly unknown[] };
  assert.equal(downloaded.features.length, others.length);
  const counted = await demo.run("/mapsvc/statistics", { mapIds: [mapId], areas: AREA });
  assert.equal(counted.body.rows[0].objects, others.length, JSON.stringify(counted.body));
  // The same map of a release hides nothing.
  const released = await demo.run("/mapsvc/release", { mapTypes: ["cars"], sceneIds: [sceneId], extent: AREA });
  assert.deepEqual(await shown(released.body.maps[0].mapId), all);

  await hide([first]);
  assert.deepEqual(await shown(mapId), [second, ...others]);
});

test("viewers and copies see what the analysis hides hidden, and a copy keeps its list", async () => {
  await hide([]);
  const all = await shown(await mapOf(demo, analysisId));
  await hide([all[0]]);
  assert.deepEqual(await shown(await mapOf(viewer, analysisId)), all.slice(1));
  const { body: copy } = await viewer.post(`${PATH}/copy`, { analysisId });
  const copied = await mapOf(viewer, copy.analysisId);
  await hide([]);
  assert.deepEqual(await shown(await mapOf(viewer, analysisId)), all);
  assert.deepEqual(await shown(copied), all.slice(1));

  await viewer.post(`${PATH}/delete`, { analysisId: copy.analysisId });
  const gone = await json(copied, "detections.geojson");
  assert.deepEqual([gone.status, gone.error], [404, "NON-EXISTENT-ANALYSIS"]);
  assert.equal((await demo.get(`/mapsvc/grid/${copied}/-/cars.png`)).status, 200);
});

test("a report of an analysis has its maps, name and description without what it hides, for its readers", async (t) => {
  await hide([]);
  const all = await shown(await mapOf(demo, analysisId));
  await hide([all[0]]);
  const report = await viewer.run("/mapsvc/pdf-report", { analysisId });
  assert.equal(report.status, 200, JSON.stringify(report.body));
  const pdf = Buffer.from(await (await fetch(report.body.url)).arrayBuffer());
  if (popplerInstalled) {
    const text = pdfText(pdf);
    assert.match(text, /Car park/);
    assert.match(text, /Cars of a Sunday/);
    assert.match(text, new RegExp(`objects\\s+${all.length - 1}\\b`));
  } else t.diagnostic("pdftotext is not installed");

  const own = await viewer.run("/mapsvc/pdf-report", { analysisId, title: "Mine", notes: "Own", basemap: "none" });
  assert.equal(own.status, 200);
  const refusal = async (request: object): Promise<unknown> => {
    const { body, status } = await viewer.post("/mapsvc/pdf-report/initiate", request);
    return [status, body.error, body.details?.[0]?.path];
  };
  const { body: closed } = await demo.post(`${PATH}/create-or-update`, { analysis: { description: "closed" } });
  assert.deepEqual(await refusal({ analysisId: closed.analysisId }), [404, "NON-EXISTENT-ANALYSIS", undefined]);
  const maps = [await mapOf(viewer, analysisId)];
  assert.deepEqual(await refusal({ analysisId, maps }), [422, "VALIDATION-ERROR", "/maps"]);
  assert.deepEqual(await refusal({ analysisId, colour: "red" }), [422, "VALIDATION-ERROR", "/colour"]);
  const { body: empty } = await viewer.post(`${PATH}/create-or-update`, { analysis: {} });
  assert.deepEqual(await refusal({ analysisId: empty.analysisId }), [422, "VALIDATION-ERROR", "/analysisId"]);
});
