import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient, type Answer } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const SAVE = "/analytics/analysis/create-or-update";
const PASSWORD = "a password of eight or more";
const FIELD = {
  type: "Feature",
  properties: { name: "North field" },
  geometry: { type: "Polygon", coordinates: [[[14, 50], [14, 51], [15, 51], [15, 50], [14, 50]]] }, // prettier-ignore
};

interface Person {
  readonly client: RawClient;
  readonly id: string;
  readonly groupId: string;
}

let service: ServiceProcess;
let anonymous: RawClient;
let admin: RawClient;
let [owner, editor, viewer, stranger]: Person[] = [];

async function person(name: string, organizationId: string): Promise<Person> {
  const group = await admin.post("/group/create", {
    organizationId,
    name: `Group of ${name}`,
    permissions: ["analytics"],
    licenseEnd: "2099-01-01T00:00:00Z",
  });
  const email = `${name}@swath.example`;
  const groupId = group.body.id;
  const user = { email, password: PASSWORD, name, groupId, isManager: false, accounting: groupId };
  const created = await admin.post("/user/organization/create-user", user);
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return { client: await anonymous.login({ email, password: PASSWORD }), id: created.body.id, groupId };
}

before(async () => {
  service = await ServiceProcess.start();
  anonymous = new RawClient(service.baseUrl);
  admin = await anonymous.login(ADMIN);
  const organization = await admin.post("/organization/create", { name: "Projects" });
  const people: Person[] = [];
  for (const name of ["owner", "editor", "viewer", "stranger"]) people.push(await person(name, organization.body.id));
  [owner, editor, viewer, stranger] = people;
});
after(async () => await service[Symbol.asyncDispose]());

function all(): readonly [owner: Person, editor: Person, viewer: Person, stranger: Person] {
  assert.ok(owner !== undefined && editor !== undefined && viewer !== undefined && stranger !== undefined);
  return [owner, editor, viewer, stranger];
}

async function save({ client }: Person, analysis: object, more: object = {}): Promise<string> {
  const { body, status } = await client.post(SAVE, { analysis, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return body.analysisId;
}

async function get(client: RawClient, analysisId: string): Promise<Answer> {
  return await client.post("/analytics/analysis/get", { analysisId });
}

/** Follows the events of a user until they have told of the maps. */
async function toldOf({ token }: RawClient, mapIds: readonly string[]): Promise<void> {
  const url = `${service.baseUrl}/events/stream?after=0&types=map.released`;
  const { body } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  assert.ok(body !== null);
  let told = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    told += piece;
    if (mapIds.every((mapId) => told.includes(mapId))) return;
  }
  assert.fail("the stream ended");
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

function refusal({ body, status }: Answer): readonly [number, string] {
  return [status, body.error];
}

test("an analysis is created, got, changed and saved back as it was got", async () => {
  const [ann] = all();
  const analysis = {
    description: "Crops of a season",
    path: "fields/2026",
    polygon: FIELD,
    innerPolygons: [{ ...FIELD, id: "a", properties: { name: "Part", crop: "rye" } }],
    tags: ["rye"],
    task: [{ id: "t", mapType: "change", type: "map", wrt: "prev" }],
    hiddenFeatures: [{ id: 1 }],
    frontendProperties: { zoom: 12, __proto__: null },
  };
  const analysisId = await save(ann, analysis);
  assert.match(analysisId, /^[a-z2-7]{26}$/u);
  const { body } = await get(ann.client, analysisId);
  assert.deepEqual(
    [body.id, body.userId, body.status, body.public, body.version, body.analysisFrames],
    [analysisId, ann.id, 0, false, 1, []],
  );
  assert.equal(body.path, "fields/2026");
  assert.deepEqual(body.innerPolygons[0].properties, { name: "Part", crop: "rye" });
  assert.deepEqual(body.task, analysis.task);
  assert.deepEqual([body.editors, body.viewerGroups, body.watchdogs], [[], [], []]);
  assert.match(body.createdOn, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
  // The exterior is counter-clockwise in canonical form.
  assert.deepEqual(body.polygon.geometry.coordinates[0][1], [15, 50]);

  await save(ann, body, { analysisId });
  const again = (await get(ann.client, analysisId)).body;
  assert.deepEqual({ ...again, version: 1, lastOpened: body.lastOpened }, body);
  await save(ann, { tags: [] }, { analysisId });
  const changed = (await get(ann.client, analysisId)).body;
  assert.deepEqual([changed.tags, changed.description, changed.version], [[], "Crops of a season", 3]);
});

test("an unknown id makes a new analysis under it, once", async () => {
  const [ann] = all();
  const analysisId = "a".repeat(26);
  const racing = await Promise.all(
    Array.from({ length: 8 }, async () => ann.client.post(SAVE, { analysis: { path: "race" }, analysisId })),
  );
  assert.ok(racing.every(({ body, status }) => status === 200 || body.error === "CONFLICT"));
  const { body } = await ann.client.post("/analytics/analysis/list", { path: "^race$" });
  assert.equal(body.results.length, 1);
});

test("rights: the owner shares, editors write, viewers read, others see nothing", async () => {
  const [ann, ed, vi, st] = all();
  const analysisId = await save(ann, { path: "shared", editors: [ed.id], viewerGroups: [vi.groupId] });
  for (const { client } of [ed, vi]) assert.deepEqual((await get(client, analysisId)).body.editors, [ed.id]);
  assert.deepEqual(refusal(await get(st.client, analysisId)), [404, "NON-EXISTENT-ANALYSIS"]);
  assert.deepEqual(refusal(await get(anonymous, analysisId)), [404, "NON-EXISTENT-ANALYSIS"]);
  assert.equal((await get(admin, analysisId)).status, 200);

  await save(ed, { description: "by the editor" }, { analysisId });
  const asGot = (await get(ed.client, analysisId)).body;
  await save(ed, asGot, { analysisId });
  for (const analysis of [{ public: true }, { editors: [] }, { viewers: [st.id] }]) {
    assert.deepEqual(refusal(await ed.client.post(SAVE, { analysis, analysisId })), [401, "NOT-AUTHORIZED"]);
  }
  assert.deepEqual(refusal(await vi.client.post(SAVE, { analysis: {}, analysisId })), [401, "NOT-AUTHORIZED"]);
  assert.deepEqual(refusal(await st.client.post(SAVE, { analysis: {}, analysisId })), [404, "NON-EXISTENT-ANALYSIS"]);
  for (const { client } of [ed, vi]) {
    assert.equal((await client.post("/analytics/analysis/delete", { analysisId })).status, 401);
  }
  for (const [{ client }, count] of [
    [ann, 1],
    [ed, 1],
    [vi, 1],
    [st, 0],
  ] as const) {
    const { body } = await client.post("/analytics/analysis/list", { userId: ann.id, path: "^shared$" });
    assert.equal(body.results.length, count);
  }
  const unknown = await ann.client.post(SAVE, { analysis: { viewers: [vi.id, "nobody"] }, analysisId });
  assert.deepEqual([unknown.status, unknown.body.details[0].path], [422, "/analysis/viewers/1"]);
  assert.deepEqual((await get(ann.client, analysisId)).body.viewers, []);
});

test("a public analysis is read by anyone, without people and without changing when it was opened", async () => {
  const [ann, ed, , st] = all();
  const analysisId = await save(ann, { public: true, editors: [ed.id], watchdogs: [ed.id] });
  for (const client of [anonymous, st.client]) {
    const { body, status } = await get(client, analysisId);
    assert.equal(status, 200);
    for (const member of ["editors", "editorGroups", "viewers", "viewerGroups", "watchdogs"]) {
      assert.equal(member in body, false, member);
    }
  }
  const copied = await st.client.post("/analytics/analysis/copy", { analysisId });
  const copy = (await get(st.client, copied.body.analysisId)).body;
  assert.deepEqual([copy.userId, copy.public, copy.editors, copy.version], [st.id, false, [], 1]);
  assert.equal((await get(anonymous, copied.body.analysisId)).status, 404);
  assert.equal((await ann.client.post("/analytics/analysis/delete", { analysisId })).status, 200);
  assert.equal((await get(ann.client, analysisId)).status, 404);
  assert.equal((await get(st.client, copied.body.analysisId)).status, 200);
});

test("a change that expects another version is refused; without one all changes are made", async () => {
  const [ann] = all();
  const analysisId = await save(ann, { tags: ["first"] });
  await save(ann, { description: "second" }, { analysisId, ifVersion: 1 });
  const late = await ann.client.post(SAVE, { analysis: { tags: [] }, analysisId, ifVersion: 1 });
  assert.deepEqual(refusal(late), [409, "CONFLICT"]);
  const members = ["analysisSets", "taskingOrders", "hiddenFeatures"];
  await Promise.all(members.map(async (member) => save(ann, { [member]: [member] }, { analysisId })));
  const { body } = await get(ann.client, analysisId);
  assert.deepEqual(
    members.map((member) => body[member]),
    members.map((member) => [member]),
  );
  assert.deepEqual([body.version, body.tags, body.description], [5, ["first"], "second"]);
});

test("maps of a scene are kept in its frame, for the area and for each inner polygon, and seen by anyone", async () => {
  const demo = await anonymous.login(DEMO);
  const sceneId = await ingestCoast(demo);
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  const innerPolygons = [{ type: "Feature", id: "east", properties: { name: "East" }, geometry: COAST_AREA }];
  const analysis = { innerPolygons, public: true };
  const { analysisId } = (await demo.post(SAVE, { analysis })).body;
  const add = { analysisId, sceneIds: [sceneId], geometry: COAST_AREA };

  const first = await demo.run("/analytics/analysis/add-map-types", { ...add, mapTypes: ["imagery", "nbr"] });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const frameId = first.body.sceneToFrameIds[sceneId];
  const [frame, ...others] = (await get(anonymous, analysisId)).body.analysisFrames;
  assert.deepEqual([frame.id, others], [frameId, []]);
  assert.deepEqual([frame.scene.sceneId, frame.scene.provider], [sceneId, "local"]);
  assert.match(frame.scene.datetime, /^\d{4}-\d\d-\d\d /u);
  assert.deepEqual(frame.finishedActions, ["imagery"]);
  // The scene has no short-wave infrared: the type is skipped, not failed.
  assert.deepEqual(
    [
      frame.failedActions,
      frame.skippedActions.map(({ innerPolygonId, mapType }: Record<string, string>) => [mapType, innerPolygonId]),
    ],
    [
      [],
      [
        ["nbr", undefined],
        ["nbr", "east"],
      ],
    ],
  );
  const [map] = frame.results.imagery;
  const [z, x, y] = map.tiles[0];
  assert.equal((await anonymous.get(`/mapsvc/grid/${map.mapId}/-/${z}/${x}/${y}/truecolor.png`)).status, 200);
  assert.deepEqual(Object.keys(frame.innerPolygonsResults), ["east"]);
  assert.equal(frame.innerPolygonsResults.east.imagery.length, 1);
  assert.equal((await get(anonymous, analysisId)).body.status, 3);
  await toldOf(demo, [map.mapId, frame.innerPolygonsResults.east.imagery[0].mapId]);

  await demo.run("/analytics/analysis/add-map-types", { ...add, mapTypes: ["ndvi"], pairingType: "first" });
  const [again] = (await demo.post("/analytics/analysis/get", { analysisId, detailed: false })).body.analysisFrames;
  assert.deepEqual([again.id, again.scene], [frameId, { sceneId }]);
  assert.deepEqual(again.finishedActions.toSorted(), ["imagery", "ndvi"]);
  assert.deepEqual(again.results.imagery, frame.results.imagery);

  const copy = (await demo.post("/analytics/analysis/copy", { analysisId })).body;
  const [copied] = (await get(demo, copy.analysisId)).body.analysisFrames;
  assert.notEqual(copied.id, frameId);
  const mapOf = ({ results }: typeof again): unknown => {
    const { analysisId: of, ...claims } = claimsOf(results.ndvi[0].mapId);
    return [of === analysisId, claims];
  };
  assert.deepEqual(mapOf(copied), [false, (mapOf(again) as unknown[])[1]]);
});

test("maps are added by those who may write, to analyses that exist, of areas that are paid", async () => {
  const [ann, , vi, st] = all();
  const demo = await anonymous.login(DEMO);
  const sceneId = await ingestCoast(demo);
  const analysisId = await save(ann, { viewers: [vi.id], path: "guarded" });
  const add = { analysisId, sceneIds: [sceneId], mapTypes: ["imagery"], geometry: COAST_AREA };
  const path = "/analytics/analysis/add-map-types/initiate";
  for (const { client } of [vi, st]) assert.equal((await client.post(path, add)).status, 401);
  assert.deepEqual(refusal(await demo.post(path, add)), [404, "NON-EXISTENT-ANALYSIS"]);
  const own = (await demo.post(SAVE, { analysis: {} })).body.analysisId;
  const around = boundsPolygon([14.9, 0.8, 15.1, 1]);
  const unpaid = await demo.post(path, { ...add, analysisId: own, geometry: around });
  assert.deepEqual(refusal(unpaid), [402, "CREDITS-ERROR"]);
  const point = { type: "Point", coordinates: [15.01, 0.89] };
  assert.equal((await demo.post(path, { ...add, analysisId: own, geometry: point })).status, 422);
  assert.equal((await demo.post(path, { ...add, analysisId: own, mapTypes: ["ndvy"] })).status, 422);
  assert.equal((await get(demo, own)).body.status, 0);
});

test("an analysis is spawned from a scene with its imagery over the whole scene", async () => {
  const demo = await anonymous.login(DEMO);
  const sceneId = await ingestCoast(demo);
  const { body: scene } = await demo.post("/imagery/scene-info", { sceneId });
  const footprint = scene.footprint ?? scene.extent ?? scene.scene?.footprint;
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: footprint });
  const { body, status } = await demo.run("/analytics/analysis/spawn-from-scene", { sceneId });
  assert.equal(status, 200, JSON.stringify(body));
  const spawned = (await get(demo, body.analysisId)).body;
  assert.deepEqual(
    spawned.analysisFrames.map(({ finishedActions, id }: Record<string, unknown>) => [id, finishedActions]),
    [[body.analysisFrameId, ["imagery"]]],
  );
  assert.equal(spawned.polygon.properties.name, sceneId);
  await toldOf(demo, [spawned.analysisFrames[0].results.imagery[0].mapId]);
});

test("a list is found by paths in pages, and a hostile expression is refused or takes bounded time", async () => {
  const [, , , st] = all();
  await Promise.all(
    Array.from({ length: 120 }, async (_, i) => save(st, { path: `many/${i % 2}/${"a".repeat(200)}` })),
  );
  const list = async (request: object): Promise<Answer> => st.client.post("/analytics/analysis/list", request);
  const first = (await list({ path: "^many/" })).body;
  assert.equal(first.results.length, 100);
  const second = (await list({ path: "^many/", cursor: first.cursor })).body;
  assert.deepEqual([second.results.length, second.cursor], [20, null]);
  assert.equal(new Set([...first.results, ...second.results].map(({ id }: { id: string }) => id)).size, 120);
  assert.equal((await list({ path: "many/1" })).body.results.length, 60);

  for (const path of ["(", "a{1000}", "(a{50}){50}", "(?<=a)b", "(a)\\1"]) {
    const { body, status } = await list({ path });
    assert.deepEqual([status, body.details[0].path], [422, "/path"], path);
  }
  const startedMs = performance.now();
  assert.equal((await list({ path: "(a+)+$|(a|aa)+b" })).status, 200);
  assert.ok(performance.now() - startedMs < 5_000);
  assert.deepEqual(refusal(await list({ cursor: "x" })), [400, "INVALID-CURSOR"]);
});

test("unknown members, faulty geometries and documents that are too large are refused with their place", async () => {
  const [ann] = all();
  const faults: readonly (readonly [object, string])[] = [
    [{ owner: "me" }, "/analysis/owner"],
    [{ polygon: { ...FIELD, geometry: { type: "Polygon", coordinates: [] } } }, "/analysis/polygon/geometry"],
    [
      {
        innerPolygons: [
          { ...FIELD, id: "a" },
          { ...FIELD, id: "a" },
        ],
      },
      "/analysis/innerPolygons/1/id",
    ],
    [{ innerPolygons: [FIELD] }, "/analysis/innerPolygons/0"],
    [{ frontendProperties: { text: "x".repeat(1024 * 1024) } }, "/analysis"],
    [{ path: "a\nb" }, "/analysis/path"],
  ];
  for (const [analysis, path] of faults) {
    const { body, status } = await ann.client.post(SAVE, { analysis });
    assert.equal(status, 422, path);
    assert.ok(body.details[0].path.startsWith(path), JSON.stringify(body.details));
  }
});
