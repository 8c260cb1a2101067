import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" } as const;
const PERIOD = { startDatetime: "2024-06-01", endDatetime: "2024-06-30 23:59:59" } as const;

const feature = (id: string, geometry: object): object => ({ type: "Feature", id, properties: {}, geometry });
const FIELDS = {
  type: "FeatureCollection",
  features: [
    feature("west", boundsPolygon([14.4, 50.05, 14.405, 50.055])),
    feature("east", boundsPolygon([14.41, 50.05, 14.415, 50.055])),
  ],
};

suite("statistics of a period", () => {
  let service: ServiceProcess;
  let demo: RawClient;
  // oxlint-disable-next-line typescript/no-explicit-any -- as the client
  let scenes: readonly any[] = [];
  const period = { areas: FIELDS, mapTypes: ["ndvi"], datasets: [DATASET], ...PERIOD };

  const remaining = async (): Promise<number> =>
    (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  const refused = async (request: object, by = demo): Promise<readonly unknown[]> => {
    const { status, body } = await by.post("/mapsvc/statistics/initiate", request);
    return [status, body.error, body.errorMessage ?? body.message];
  };

  before(async () => {
    service = await ServiceProcess.start();
    const admin = await new RawClient(service.baseUrl).login(ADMIN);
    const rule = { ...DATASET, creditsPerKm2: 0.1 };
    assert.equal((await admin.post("/credits/price-rules/create", rule)).status, 200);
    demo = await new RawClient(service.baseUrl).login(DEMO);
    const search = { datasets: [DATASET], extent: FIELDS, ...PERIOD, minIntersection: 0 };
    scenes = (await demo.run("/imagery/search", search)).body.results.toReversed();
    assert.ok(scenes.length >= 4, `${scenes.length} scenes`);
  });
  after(async () => await service[Symbol.asyncDispose]());

  test("without allocate, a period that is not paid for is refused, and nothing is charged", async () => {
    const credit = await remaining();
    const [status, error] = await refused(period);
    assert.deepEqual([status, error], [402, "CREDITS-ERROR"]);
    assert.equal(await remaining(), credit);
  });

  test("with allocate, maps are charged as a release charges them, and once", async () => {
    const credit = await remaining();
    const sceneIds = scenes.map(({ sceneId }) => sceneId);
    const { cost } = (await demo.post("/credits/area/check-geojson", { sceneIds, geojson: FIELDS })).body;
    assert.ok(cost > 0);
    const { status, body } = await demo.run("/mapsvc/statistics", { ...period, allocate: true });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(Math.abs(body.payment.chargedCredits - cost) < 2e-6, `${body.payment.chargedCredits} of ${cost}`);
    assert.ok(Math.abs(credit - (await remaining()) - cost) < 2e-6);
    const again = await demo.run("/mapsvc/statistics", { ...period, allocate: true });
    assert.equal(again.body.payment.chargedCredits, 0);
    assert.deepEqual(again.body.rows, body.rows);
  });

  test("rows are those of the listed scenes, in ascending time", async () => {
    const { status, body } = await demo.run("/mapsvc/statistics", period);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.rows.map(({ area, sceneId }: Record<string, string>) => [area, sceneId]),
      scenes.flatMap(({ sceneId }) => ["west", "east"].map((area) => [area, sceneId])),
    );
    const times = body.rows.map(({ datetime }: { datetime: string }) => datetime);
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual([body.leftOut, body.failed, body.unmasked], [[], [], []]);
    const sceneIds = scenes.map(({ sceneId }) => sceneId).toReversed();
    const listed = await demo.run("/mapsvc/statistics", { areas: FIELDS, mapTypes: ["ndvi"], sceneIds });
    assert.deepEqual(listed.body.rows, body.rows);
  });

  test("scenes that the conditions leave out are named with the reason", async () => {
    const covers = scenes.map(({ cloudCover }) => cloudCover);
    const maxCloudCover = covers.toSorted((a, b) => a - b)[1];
    const { body } = await demo.run("/mapsvc/statistics", { ...period, maxCloudCover, limit: 1 });
    const clear = scenes.filter(({ cloudCover }) => cloudCover <= maxCloudCover);
    assert.equal(body.counts.rows, 2);
    assert.equal(body.rows[0].sceneId, clear.at(-1).sceneId, "the newest");
    assert.deepEqual(
      body.leftOut.map(({ sceneId, reason }: Record<string, string>) => [sceneId, reason]),
      scenes
        .filter((one) => one !== clear.at(-1))
        .map(({ sceneId, cloudCover }) => [sceneId, cloudCover > maxCloudCover ? "CLOUD-COVER" : "LIMIT"]),
    );
    for (const { message } of body.leftOut) assert.match(message, /under cloud, expected at most|1 newest scenes/);
    const tilted = await demo.run("/mapsvc/statistics", { ...period, maxOffNadir: 0 });
    const known = scenes.filter(({ offNadir }) => offNadir !== undefined && offNadir !== 0);
    assert.equal(tilted.body.leftOut.length, known.length);
  });

  test("a period without a scene has no row, whether it pays or not", async () => {
    const none = { ...period, startDatetime: "2024-06-01", endDatetime: "2024-06-01 00:00:01" };
    for (const allocate of [false, true]) {
      const { status, body } = await demo.run("/mapsvc/statistics", { ...none, allocate });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.counts, body.rows], [{ areas: 2, maps: 0, rows: 0 }, []]);
    }
  });

  test("a map of clouds counts the pixels under clouds too, and clear pixels are those of its clear share", async () => {
    const cloudy = scenes.toSorted((a, b) => b.cloudCover - a.cloudCover);
    const sceneIds = cloudy.map(({ sceneId }) => sceneId);
    const request = { areas: FIELDS, mapTypes: ["clouds", "ndvi"], sceneIds };
    const { status, body } = await demo.run("/mapsvc/statistics", request);
    assert.equal(status, 200, JSON.stringify(body));
    // oxlint-disable-next-line typescript/no-explicit-any -- as the client
    const rows: readonly any[] = body.rows;
    const covered = rows.filter(({ mapType, clearShare }) => mapType === "ndvi" && clearShare < 0.9);
    assert.ok(covered.length > 0, "no area under clouds");
    for (const { area, sceneId, clearShare } of covered) {
      const sky = rows.find((row) => row.mapType === "clouds" && row.area === area && row.sceneId === sceneId);
      const under = Object.values<{ areaKm2: number }>(sky.classes).reduce((sum, { areaKm2 }) => sum + areaKm2, 0);
      assert.equal(sky.clearShare, null);
      // 0.005 degrees to both sides at 50 degrees north are 0.199 km2.
      assert.ok(Math.abs(under / 0.199 - (1 - clearShare)) < 0.02, `${under} km2 covered, ${clearShare} clear`);
    }
  });

  test("scenes without a map of clouds are named, and all their pixels count", async () => {
    const sceneIds = [scenes.at(-1).sceneId];
    const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds, extent: FIELDS });
    const mapIds = released.body.maps.map(({ mapId }: { mapId: string }) => mapId);
    const { body } = await demo.run("/mapsvc/statistics", { areas: FIELDS, mapIds });
    assert.deepEqual(
      body.unmasked,
      sceneIds.map((sceneId) => ({ sceneId, errorMessage: "mapIds have no map of clouds of the scene" })),
    );
    for (const { clearShare, validShare } of body.rows)
      assert.deepEqual([clearShare, validShare > 0.999], [null, true]);
    const unmasked = await demo.run("/mapsvc/statistics", { areas: FIELDS, mapIds, cloudFree: false });
    assert.deepEqual(unmasked.body.unmasked, []);
  });

  test("rights and members that do not fit are refused before anything is searched", async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ ...period, sceneIds: ["a"] }, /\/datasets excludes sceneIds/],
      [{ areas: FIELDS, datasets: [DATASET], mapIds: ["a"] }, /\/mapIds excludes datasets/],
      [{ areas: FIELDS, mapTypes: ["ndvi"], sceneIds: ["a"], maxCloudCover: 0.2 }, /maxCloudCover needs datasets/],
      [{ areas: FIELDS, mapIds: ["a"], allocate: true }, /\/allocate needs mapTypes/],
      [{ ...period, allocate: true, colour: "red" }, /colour/],
      [{ ...period, startDatetime: "2024-07-01" }, /endDatetime: is before startDatetime/],
      [{ areas: FIELDS, datasets: [DATASET] }, /mapTypes is required/],
    ];
    for (const [request, wanted] of cases) {
      const [status, error, message] = await refused(request);
      assert.deepEqual([status, error], [422, "VALIDATION-ERROR"], JSON.stringify(message));
      assert.match(String(message), wanted);
    }
    const unknown = await refused({ ...period, datasets: [{ ...DATASET, dataset: "COPERNICUS/S2" }] });
    assert.deepEqual(unknown.slice(0, 2), [400, "DATASET-NOT-SUPPORTED-FOR-SEARCH"]);
    const nobody = new RawClient(service.baseUrl);
    assert.equal((await refused(period, nobody))[0], 401);
  });

  test("members that only the service sets have no effect", async () => {
    const leftOut = [{ sceneId: "a", datetime: "b", reason: "LIMIT", message: "c" }];
    const { status, body } = await demo.run("/mapsvc/statistics", {
      areas: FIELDS,
      mapTypes: ["ndvi"],
      sceneIds: [scenes[0].sceneId],
      leftOut,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.leftOut, []);
  });
});
