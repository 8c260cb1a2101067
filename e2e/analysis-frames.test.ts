import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds, Polygon } from "@swath/kernel/geometry/geojson";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const PATH = "/analytics/analysis";

let service: ServiceProcess;
let demo: RawClient;
let sceneId: string;

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  sceneId = await ingestCoast(demo);
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
});
after(async () => await service[Symbol.asyncDispose]());

function inner(id: string, bounds: Bounds): object {
  return { type: "Feature", id, properties: { name: id }, geometry: boundsPolygon(bounds) };
}

async function create(analysis: object): Promise<string> {
  const { body, status } = await demo.post(`${PATH}/create-or-update`, { analysis });
  assert.equal(status, 200, JSON.stringify(body));
  return body.analysisId;
}

function add(analysisId: string, mapTypes: readonly string[], geometry: object = COAST_AREA): object {
  return { analysisId, sceneIds: [sceneId], mapTypes, geometry };
}

// oxlint-disable-next-line typescript/no-explicit-any -- frames are read as any client reads them
async function framesOf(analysisId: string): Promise<any[]> {
  const { body, status } = await demo.post(`${PATH}/get`, { analysisId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.analysisFrames;
}

test("an inner polygon has the maps of its part of the paid area, and a reason where it has none", async () => {
  const innerPolygons = [inner("across", [15.01, 0.89, 16, 2]), inner("outside", [17, 2, 17.1, 2.1])];
  const analysisId = await create({ innerPolygons });
  const { status, body } = await demo.run(`${PATH}/add-map-types`, add(analysisId, ["ndvi"]));
  assert.equal(status, 200, JSON.stringify(body));
  const [frame] = await framesOf(analysisId);
  assert.deepEqual(Object.keys(frame.results), ["ndvi"]);
  const [map] = frame.innerPolygonsResults.across.ndvi;
  const areaOf = async ({ mapId }: { readonly mapId: string }): Promise<number> =>
    ((await (await demo.get(`/mapsvc/grid/${mapId}/-/area.json`)).json()) as { readonly valid: number }).valid;
  // Both are boxes: 0.0125 by 0.014 degrees of 0.022 by 0.0217.
  const share = (await areaOf(map)) / (await areaOf(frame.results.ndvi[0]));
  assert.ok(Math.abs(share - (0.0125 * 0.014) / (0.022 * 0.0217)) < 0.01, `${share}`);
  assert.deepEqual(frame.innerPolygonsResults.outside, {});
  assert.deepEqual(
    frame.skippedActions.map(({ errorCode, innerPolygonId, mapType }: Record<string, string>) => [
      mapType,
      innerPolygonId,
      errorCode,
    ]),
    [["ndvi", "outside", "EXTENT-HAS-NO-INTERSECTION"]],
  );
});

test("maps that are added at the same time are all there", async () => {
  const analysisId = await create({ innerPolygons: [inner("east", [15.01, 0.89, 15.02, 0.9])] });
  const types = ["imagery", "ndvi", "ndwi", "expression:NIR-R"];
  const answers = await Promise.all(
    types.map(async (type) => demo.run(`${PATH}/add-map-types`, add(analysisId, [type]))),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], JSON.stringify(answers[0]?.body));
  const [frame, ...others] = await framesOf(analysisId);
  assert.deepEqual(others, []);
  assert.deepEqual(frame.finishedActions.toSorted(), types.toSorted());
  assert.deepEqual(Object.keys(frame.innerPolygonsResults.east).toSorted(), types.toSorted());
  assert.deepEqual([...new Set(answers.map(({ body }) => body.sceneToFrameIds[sceneId]))], [frame.id]);
});

test("of changes at the same time that expect one version, one is made", async () => {
  const analysisId = await create({ tags: ["first"] });
  for (let version = 1; version <= 5; version++) {
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, i) =>
        demo.post(`${PATH}/create-or-update`, {
          analysisId,
          ifVersion: version,
          analysis: { tags: [`${version}-${i}`] },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { body } = await demo.post(`${PATH}/get`, { analysisId });
    assert.deepEqual([body.version, body.tags], [version + 1, [`${version}-${winner}`]]);
  }
});

test("results are there as releases end, stay when the process is killed, and the rest follows", async () => {
  const squares = Array.from({ length: 60 }, (_, i): readonly [string, Polygon["coordinates"]] => {
    const west = 15.001 + (i % 10) * 0.002;
    const south = 0.883 + Math.floor(i / 10) * 0.003;
    return [`part ${i}`, boundsPolygon([west, south, west + 0.001, south + 0.001]).coordinates];
  });
  const innerPolygons = squares.map(([id, coordinates]) => {
    return { type: "Feature", id, geometry: { type: "Polygon", coordinates } };
  });
  const analysisId = await create({ innerPolygons });
  const { body: initiated } = await demo.post(`${PATH}/add-map-types/initiate`, add(analysisId, ["ndvi"]));
  let seen = await framesOf(analysisId);
  while (seen.length === 0) seen = await framesOf(analysisId);
  await service.kill();
  assert.deepEqual(seen[0].finishedActions, ["ndvi"]);
  const done = Object.keys(seen[0].innerPolygonsResults).length;
  assert.ok(done < squares.length, `${done} parts were done`);
  await service.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  const [kept] = await framesOf(analysisId);
  assert.deepEqual([kept.id, kept.finishedActions], [seen[0].id, ["ndvi"]]);
  assert.equal(await demo.settled(initiated.pipelineId), "RESOLVED");
  const [frame, ...others] = await framesOf(analysisId);
  assert.deepEqual([frame.id, others], [seen[0].id, []]);
  assert.deepEqual(
    Object.keys(frame.innerPolygonsResults),
    squares.map(([id]) => id),
  );
  assert.deepEqual([frame.failedActions, frame.skippedActions], [[], []]);
});
