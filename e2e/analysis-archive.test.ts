import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { zipOf } from "@swath/raster/archive/zip";
import { unzipped } from "../packages/raster/src/archive/testing.ts";
import { zipOfSharedEntry } from "../packages/raster/src/archive/zip-bombs-testing.ts";
import { COAST_AREA, ingestCoast, upload } from "./main-job.ts";
import { RawClient, type Answer } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const PATH = "/analytics/analysis";
const PASSWORD = "a password of eight or more";

let service: ServiceProcess;
let demo: RawClient;
let other: RawClient;
let sceneId: string;

before(async () => {
  service = await ServiceProcess.start();
  const anonymous = new RawClient(service.baseUrl);
  demo = await anonymous.login(DEMO);
  other = await newUser(anonymous);
  sceneId = await ingestCoast(demo);
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
});
after(async () => await service[Symbol.asyncDispose]());

async function newUser(anonymous: RawClient): Promise<RawClient> {
  const admin = await anonymous.login(ADMIN);
  const { body: organization } = await admin.post("/organization/create", { name: "Elsewhere" });
  const { body: group } = await admin.post("/group/create", {
    organizationId: organization.id,
    name: "Elsewhere",
    permissions: ["analytics", "ingest-scene", "mapsvc"],
    licenseEnd: "2099-01-01T00:00:00Z",
  });
  const user = { email: "other@swath.example", name: "Other", password: PASSWORD };
  await admin.post("/user/organization/create-user", {
    ...user,
    groupId: group.id,
    isManager: false,
    accounting: group.id,
  });
  return await anonymous.login(user);
}

async function create(client: RawClient, analysis: object): Promise<string> {
  const { body, status } = await client.post(`${PATH}/create-or-update`, { analysis });
  assert.equal(status, 200, JSON.stringify(body));
  return body.analysisId;
}

interface Exported {
  readonly zip: Uint8Array;
  readonly files: ReadonlyMap<string, Uint8Array>;
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer is read as any client reads it
  readonly answer: any;
}

async function exported(client: RawClient, analysisId: string): Promise<Exported> {
  const { body, status } = await client.run(`${PATH}/export`, { analysisId });
  assert.equal(status, 200, JSON.stringify(body));
  const zip = new Uint8Array(await (await fetch(body.url)).arrayBuffer());
  assert.equal(zip.byteLength, body.size);
  return { zip, files: await unzipped(zip), answer: body };
}

async function imported(client: RawClient, zip: Uint8Array): Promise<Answer> {
  return await client.run(`${PATH}/import`, { filepath: await upload(client, zip, ".zip") });
}

function textOf({ files }: Exported, name: string): string {
  const bytes = files.get(name);
  assert.ok(bytes !== undefined, `${name} of ${[...files.keys()].join(", ")}`);
  return new TextDecoder().decode(bytes);
}

/** analysis.json, in which IDs of maps are those of the maps, not of one analysis. */
function contentOf(archive: Exported): unknown {
  return JSON.parse(textOf(archive, "analysis.json"), (key: string, value: unknown) => {
    if (key !== "mapId" || typeof value !== "string") return value;
    const claims = JSON.parse(Buffer.from(value.split(".")[1] ?? "", "base64url").toString());
    return claims.mapId;
  });
}

test("an export holds areas, results, pictures, a report and the analysis, without people", async () => {
  const inner = { type: "Feature", id: "east", properties: { name: "East" }, geometry: boundsPolygon([15.01, 0.89, 15.02, 0.9]) }; // prettier-ignore
  const polygon = { type: "Feature", properties: { name: "Coast" }, geometry: COAST_AREA };
  const analysisId = await create(demo, { path: "coasts/1", description: "One", polygon, innerPolygons: [inner] });
  const mapTypes = ["ndvi", "expression:NIR/(R+1)"];
  const added = await demo.run(`${PATH}/add-map-types`, { analysisId, sceneIds: [sceneId], mapTypes, geometry: COAST_AREA }); // prettier-ignore
  assert.equal(added.status, 200, JSON.stringify(added.body));

  const archive = await exported(demo, analysisId);
  assert.deepEqual([archive.answer.maps, archive.answer.mapsWithoutFiles], [4, 0]);
  assert.deepEqual([...archive.files.keys()].toSorted(), [
    "analysis.json",
    "areas.geojson",
    "maps/0001-ndvi.png",
    "maps/0002-expression-NIR-R-1-.png",
    "maps/0003-ndvi.png",
    "maps/0004-expression-NIR-R-1-.png",
    "report.pdf",
    "results.csv",
  ]);
  const areas = JSON.parse(textOf(archive, "areas.geojson"));
  assert.deepEqual(
    areas.features.map(({ properties }: { readonly properties: object }) => properties),
    [{ name: "Coast" }, { name: "East" }],
  );
  assert.match(textOf(archive, "results.csv"), new RegExp(`^sceneId,datetime,mapType,innerPolygonId,name,value\n${sceneId},.*ndvi,,`, "u")); // prettier-ignore
  assert.ok(textOf(archive, "report.pdf").startsWith("%PDF-"));
  assert.equal(textOf(archive, "maps/0001-ndvi.png").slice(1, 4), "PNG");
  const document = JSON.parse(textOf(archive, "analysis.json"));
  for (const member of ["userId", "editors", "viewers", "watchdogs", "public", "id"]) {
    assert.equal(member in document.analysis, false, member);
  }

  const again = await imported(demo, archive.zip);
  assert.deepEqual([again.status, again.body.unknownScenes, again.body.unknownMaps], [200, [], 0]);
  assert.deepEqual(contentOf(await exported(demo, again.body.analysisId)), contentOf(archive));
  const { body: shown } = await demo.post(`${PATH}/get`, { analysisId: again.body.analysisId });
  assert.deepEqual([shown.public, shown.editors, shown.version, shown.status], [false, [], 1, 3]);

  // Another group does not see the scene.
  const elsewhere = await imported(other, archive.zip);
  assert.deepEqual([elsewhere.status, elsewhere.body.unknownScenes], [200, [sceneId]]);
  assert.deepEqual(contentOf(await exported(other, elsewhere.body.analysisId)), contentOf(archive));
  const closed = await other.post(`${PATH}/export/initiate`, { analysisId });
  assert.deepEqual([closed.status, closed.body.error], [404, "NON-EXISTENT-ANALYSIS"]);
});

const text = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: "binary", maxLength }).filter((value) => !/\p{Cc}/u.test(value) && value.isWellFormed());

test("an analysis that is exported, imported and exported again is the same but for its ids", async () => {
  const analyses = fc.record(
    {
      description: fc
        .string({ unit: "binary", maxLength: 50 })
        .filter((value) => value.isWellFormed() && !value.includes("\u0000")),
      path: text(50),
      tags: fc.uniqueArray(
        text(20).filter((tag) => tag !== ""),
        { maxLength: 3 },
      ),
      hiddenFeatures: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
      frontendProperties: fc.dictionary(text(5), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      innerPolygons: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }).map((ids) =>
        ids.map((id) => {
          return { type: "Feature", id: `${id}`, geometry: boundsPolygon([id, id, id + 1, id + 1]) };
        }),
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(analyses, async (analysis) => {
      const first = await exported(demo, await create(demo, analysis));
      const { body, status } = await imported(demo, first.zip);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(contentOf(await exported(demo, body.analysisId)), contentOf(first));
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

const encoder = new TextEncoder();

function archiveOf(document: unknown): Promise<Uint8Array> {
  return zipOf([{ name: "analysis.json", body: encoder.encode(JSON.stringify(document)) }]);
}

test("maps that another service has signed stay as references and are counted", async () => {
  const scene = { sceneId: "local.uploads.0123456789abcdef0123456789abcdef", datetime: "2026-01-01 00:00:00" };
  const results = { ndvi: [{ mapId: "a.b.c", maxZoom: 14, tiles: [[13, 1, 2]] }] };
  const missing = { failedActions: [], skippedActions: [], finishedActions: [] };
  const frame = { scene, onlyIngested: false, results, innerPolygonsResults: {}, actionMeta: {}, ...missing };
  const document = { format: "swath-analysis", version: 1, analysis: { tags: ["far"] }, frames: [frame] };
  const { body, status } = await imported(demo, await archiveOf(document));
  assert.deepEqual([status, body.unknownMaps, body.unknownScenes], [200, 1, [scene.sceneId]], JSON.stringify(body));
  const { body: shown } = await demo.post(`${PATH}/get`, { analysisId: body.analysisId });
  assert.deepEqual(shown.analysisFrames[0].results, results);
  const archive = await exported(demo, body.analysisId);
  assert.deepEqual([archive.answer.maps, archive.answer.mapsWithoutFiles], [0, 1]);
});

test("hostile and foreign zips are refused with the reason", async () => {
  const good = { format: "swath-analysis", version: 1, analysis: {}, frames: [] };
  const body = encoder.encode(JSON.stringify(good));
  const named = (name: string): Buffer =>
    Buffer.from(Buffer.from(placeholder).toString("latin1").replaceAll("analysis.jsox", name), "latin1");
  const placeholder = await zipOf([{ name: "analysis.jsox", body }]);
  const sceneOf = { scene: { sceneId: "local.uploads.0123456789abcdef0123456789abcdef" }, onlyIngested: false, results: {}, innerPolygonsResults: {}, actionMeta: {}, failedActions: [], finishedActions: [], skippedActions: [] }; // prettier-ignore
  const cases: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
    ["no zip", encoder.encode("not a zip"), "BAD-REQUEST", /not a readable zip/],
    ["no document", await zipOf([{ name: "other.json", body }]), "BAD-REQUEST", /holds no "analysis.json"/],
    ["two documents", await zipOf([1, 2].map(() => ({ name: "analysis.json", body }))), "BAD-REQUEST", /two files/],
    ["a path out of the archive", named("../alysis.jso"), "BAD-REQUEST", /unsafe|invalid relative path/],
    ["an absolute path", named("/nalysis.json"), "BAD-REQUEST", /unsafe|absolute path/],
    ["shared bytes", zipOfSharedEntry(100, Buffer.alloc(1000)), "BAD-REQUEST", /share no bytes/],
    ["a bomb", await zipOf([{ name: "a.txt", body: new Uint8Array(40 * 1024 ** 2) }, { name: "analysis.json", body }]), "BAD-REQUEST", /expands/], // prettier-ignore
    ["too many entries", await zipOf(Array.from({ length: 501 }, (_, i) => ({ name: `${i}`, body }))), "BAD-REQUEST", /501 entries/], // prettier-ignore
    ["a large document", await archiveOf({ ...good, padding: "x".repeat(11 * 1024 ** 2) }), "BAD-REQUEST", /at most/],
    ["no JSON", await zipOf([{ name: "analysis.json", body: encoder.encode("{") }]), "BAD-REQUEST", /not JSON/],
    ["another version", await archiveOf({ ...good, version: 2 }), "BAD-REQUEST", /version/],
    ["people", await archiveOf({ ...good, analysis: { editors: ["me"] } }), "VALIDATION-ERROR", /\/analysis/],
    ["no frames", await archiveOf({ ...good, frames: null }), "VALIDATION-ERROR", /\/frames/],
    ["one scene twice", await archiveOf({ ...good, frames: [sceneOf, sceneOf] }), "VALIDATION-ERROR", /\/frames\/1/],
    ["a faulty area", await archiveOf({ ...good, analysis: { polygon: { type: "Feature", geometry: { type: "Polygon", coordinates: [] } } } }), "VALIDATION-ERROR", /polygon/], // prettier-ignore
  ];
  for (const [what, zip, code, reason] of cases) {
    const answer = await imported(demo, zip);
    assert.deepEqual([answer.status, answer.body.error], [424, code], `${what}: ${JSON.stringify(answer.body)}`);
    assert.match(answer.body.errorMessage, reason, what);
  }
  const filepath = await upload(demo, await archiveOf(good), ".zip");
  const stranger = await other.post(`${PATH}/import/initiate`, { filepath });
  assert.deepEqual([stranger.status, stranger.body.error], [404, "NON-EXISTENT-UPLOAD"]);
  assert.equal((await demo.run(`${PATH}/import`, { filepath })).status, 200);
  const twice = await demo.post(`${PATH}/import/initiate`, { filepath });
  assert.deepEqual([twice.status, twice.body.error], [404, "NON-EXISTENT-UPLOAD"]);
});
