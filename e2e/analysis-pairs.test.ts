import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { RawClient, type Answer } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const PATH = "/analytics/analysis";
/** A coast of the simulated world. */
const AREA = boundsPolygon([2.25, 41.385, 2.26, 41.395]);

let service: ServiceProcess;
let demo: RawClient;
let analysisId: string;

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const price = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED", creditsPerKm2: 2 };
  const priced = await admin.post("/credits/price-rules/create", price);
  assert.equal(priced.status, 200, JSON.stringify(priced.body));
  ({ analysisId } = (await demo.post(`${PATH}/create-or-update`, { analysis: {} })).body);
});
after(async () => await service[Symbol.asyncDispose]());

const request = (sceneIds: readonly string[], mapTypes: readonly string[], pairingType: string): object => {
  return { analysisId, sceneIds, mapTypes, pairingType, geometry: AREA };
};

const initiate = async (...given: Parameters<typeof request>): Promise<Answer> =>
  await demo.post(`${PATH}/add-map-types/initiate`, request(...given));

test("every two scenes are compared, and the later one has the map; the price of the area is all that is charged", async () => {
  const { body } = await demo.run("/imagery/search", {
    datasets: [{ provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" }],
    extent: AREA,
    startDatetime: "2023-04-01 00:00:00",
    endDatetime: "2023-09-01 00:00:00",
    minIntersection: 1,
    maxCloudCover: 0.5,
  });
  const found: readonly { readonly sceneId: string; readonly datetime: string }[] = body.results;
  const scenes = found.toSorted((a, b) => a.datetime.localeCompare(b.datetime, "en")).slice(0, 3);
  const sceneIds = scenes.map(({ sceneId }) => sceneId);
  assert.equal(sceneIds.length, 3);
  const priced = await demo.post("/credits/area/check-geojson", { sceneIds, geojson: AREA });
  const remaining = async (): Promise<number> =>
    (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  const creditBefore = await remaining();
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: AREA });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  const added = await demo.run(`${PATH}/add-map-types`, request(sceneIds, ["change", "ndvi"], "all"));
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const { analysisFrames } = (await demo.post(`${PATH}/get`, { analysisId })).body;
  const countOf = (mapType: string): readonly number[] =>
    sceneIds.map((sceneId) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- frames are read as any client reads them
      const frame = analysisFrames.find(({ scene }: any) => scene.sceneId === sceneId);
      return frame.results[mapType]?.length ?? 0;
    });
  assert.deepEqual([countOf("change"), countOf("ndvi")], [[0, 1, 2], [1, 1, 1]]); // prettier-ignore
  assert.equal(paid.body.cost, priced.body.cost);
  assert.ok(
    Math.abs(creditBefore - (await remaining()) - priced.body.cost) < 1e-6,
    `${creditBefore} - ${await remaining()}`,
  );
});

const unknownScenes = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `ee.COPERNICUS_S2_SR_HARMONIZED.none${i}`);

test("more maps of pairs than a release may make are refused before anything is looked up", async () => {
  // 64 scenes have 2016 pairs, 63 have 1953.
  const many = await initiate(unknownScenes(64), ["change"], "all");
  assert.deepEqual([many.status, many.body.error], [422, "VALIDATION-ERROR"]);
  assert.match(many.body.errorMessage, /64 scenes of 1 map types, every two compared, .* up to 2016 maps, .* 2000/);
  const few = await initiate(unknownScenes(63), ["change"], "all");
  assert.deepEqual([few.status, few.body.error], [404, "NON-EXISTING-SCENE"]);
  const first = await initiate(unknownScenes(64), ["change"], "first");
  assert.deepEqual([first.status, first.body.error], [404, "NON-EXISTING-SCENE"]);
  // Indices compare nothing.
  const single = await initiate(unknownScenes(64), ["ndvi"], "all");
  assert.deepEqual([single.status, single.body.error], [404, "NON-EXISTING-SCENE"]);
});
