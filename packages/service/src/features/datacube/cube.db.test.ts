import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { sql } from "kysely";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import { systemClock } from "@swath/base/clock";
import type { Caller, Db, PipelineJob } from "../../platform/context.ts";
import { createDownloads } from "../../platform/downloads/downloads.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { openWorkFolders } from "../../platform/uploads/work-folders.ts";
import { createDatacubeService, type DatacubeService } from "./service.ts";
import { fileOf } from "./testing.ts";

const NEVER = new AbortController().signal;
const stack = new AsyncDisposableStack();
let db: Db;
let cube: DatacubeService;
let file: (url: string) => Promise<Buffer>;

before(async () => {
  const database = stack.use(await testDatabase());
  db = database.db;
  const folder = mkdtempSync(join(tmpdir(), "swath-datacube-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const clock = systemClock;
  const blobs = await openFsBlobStore(join(folder, "blobs"), clock);
  const downloads = createDownloads({ db, clock, blobs, signingKeys: () => [new Uint8Array(32).fill(7)] });
  cube = createDatacubeService({
    db,
    clock,
    areas: stack.use(createAreas()),
    featureTests: stack.use(createFeatureTests()),
    folders: await openWorkFolders(join(folder, "work"), clock),
    downloads,
  });
  file = (address) => fileOf(downloads, address);
  for (const group of ["survey", "rivals"]) {
    await sql`insert into groups (id, name, created_at, updated_at) values (${group}, ${group}, now(), now())`.execute(
      db,
    );
  }
});
after(() => stack.disposeAsync());

function caller(groupId: string, permissions: readonly string[] = ["datacube"]): Caller {
  return { kind: "user", userId: groupId, groupId, email: `${groupId}@example.org`, permissions: new Set(permissions) };
}

const ann = caller("survey");
const ben = caller("rivals");

function square(west: number, south: number, side = 1) {
  const [east, north] = [west + side, south + side];
  return {
    type: "Polygon" as const,
    coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] as [number, number][][], // prettier-ignore
  };
}

/** A project with areas of one degree, whose names are letters, side by side from longitude 0. */
async function addProject(project: string, aoiIds: string, shared = false): Promise<void> {
  await cube.saveProject(ann, { project, shared }, NEVER);
  const aois = Array.from(aoiIds, (aoiId, index) => ({ aoiId, geometry: square(2 * index, 0) }));
  await cube.saveAois(ann, { project, aois }, NEVER);
}

interface Point {
  readonly aoiId?: string;
  readonly algorithm?: string;
  readonly source?: string;
  readonly day?: number;
  readonly version?: string;
  readonly value: number;
}

async function write(project: string, ...points: readonly Point[]): Promise<void> {
  const datapoints = points.map(({ aoiId = "a", algorithm = "ndvi_mean", source = "S2", day = 1, ...point }) => ({
    aoiId,
    algorithm,
    source,
    startDatetime: new Date(Date.UTC(2024, 0, day)).toISOString(),
    ...point,
  }));
  await cube.append(ann, { project, datapoints }, NEVER);
}

type Request = Parameters<DatacubeService["getDatapoints"]>[1];

async function values(project: string, request: Omit<Request, "project"> = {}, who = ann): Promise<readonly number[]> {
  return (await cube.getDatapoints(who, { project, ...request }, NEVER)).results
    .map(({ value }) => value)
    .toSorted((a, b) => a - b);
}

test("the last version of a datapoint is read, all of them, or one", async () => {
  await addProject("versions", "a");
  await write("versions", { value: 1, version: "1" }, { value: 2, version: "2" }, { value: 3, day: 2, version: "1" });
  assert.deepEqual(await values("versions"), [2, 3]);
  assert.deepEqual(await values("versions", { version: "all" }), [1, 2, 3]);
  assert.deepEqual(await values("versions", { version: "1" }), [1, 3]);
});

test("a datapoint may begin in the year before year 1, also by the zone of its text", async () => {
  await addProject("year zero", "a");
  const point = { aoiId: "a", algorithm: "ndvi_mean", source: "S2" };
  const starts = ["0001-01-01T00:00:00+23:59", "0000-01-01", "9999-12-31T23:59:59Z"];
  const datapoints = starts.map((startDatetime, value) => ({ ...point, startDatetime, value }));
  await cube.append(ann, { project: "year zero", datapoints }, NEVER);
  const { results } = await cube.getDatapoints(ann, { project: "year zero" }, NEVER);
  const found = new Map(results.map(({ startDatetime, value }) => [value, startDatetime]));
  assert.deepEqual(found.get(0), "0000-12-31 00:01:00");
  assert.deepEqual(found.get(1), "0000-01-01 00:00:00");
  assert.deepEqual(found.get(2), "9999-12-31 23:59:59");
});

test("a datapoint has every member that it was written with", async () => {
  await addProject("members", "a");
  const datapoint = {
    algorithm: "ndvi_mean",
    source: "S2",
    aoiId: "a",
    startDatetime: "2024-01-01 10:00:00",
    endDatetime: "2024-01-02 10:00:00",
    version: "2024",
    value: 0.5,
    unit: "index",
    confidence: 0.5,
    cloudCover: 0.25,
    sceneId: "scene",
    mapId: "map",
    provenance: { scenes: ["scene"] },
  };
  await cube.append(ann, { project: "members", datapoints: [datapoint] }, NEVER);
  const { results } = await cube.getDatapoints(ann, { project: "members", includeProvenance: true }, NEVER);
  const [{ firstSeen, ...rest } = { firstSeen: "" }] = results;
  assert.deepEqual(rest, { project: "members", ...datapoint });
  assert.ok(Math.abs(Date.parse(`${firstSeen}Z`) - Date.now()) < 60_000);
});

test("a page with the inputs of datapoints holds at most 1,000, and its cursor goes on", async () => {
  await addProject("inputs", "a");
  await write("inputs", ...Array.from({ length: 1_001 }, (_, day) => ({ day: day + 1, value: day })));
  const request = { project: "inputs", includeProvenance: true, limit: 10_000 };
  const first = await cube.getDatapoints(ann, request, NEVER);
  assert.equal(first.results.length, 1_000);
  const second = await cube.getDatapoints(ann, { ...request, cursor: first.cursor! }, NEVER);
  assert.deepEqual([second.results.length, second.cursor], [1, null]);
  const plain = await cube.getDatapoints(ann, { project: "inputs", limit: 10_000 }, NEVER);
  assert.equal(plain.results.length, 1_001);
});

test("for any moment the datapoints are those that a client got then", async () => {
  let run = 0;
  const step = fc.record({ day: fc.integer({ min: 1, max: 3 }), version: fc.constantFrom("1", "2", "3") });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      run += 1;
      const project = `moments${run}`;
      await addProject(project, "ab");
      const got: { readonly asOf: string; readonly answer: unknown }[] = [];
      for (const [index, { day, version }] of steps.entries()) {
        // The same key again is a conflict, which changes nothing.
        await write(project, { day, version, value: index }).catch(() => {});
        const { asOf, ...answer } = await cube.getDatapoints(ann, { project }, NEVER);
        got.push({ asOf, answer });
      }
      for (const { asOf, answer } of got) {
        const again = await cube.getDatapoints(ann, { project, asOf }, NEVER);
        assert.deepEqual(again, { asOf, ...(answer as object) });
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test("a moment in the future is now: the answer names the moment that it is exact for", async () => {
  await addProject("future", "a");
  await write("future", { value: 1 });
  const { asOf } = await cube.getDatapoints(ann, { project: "future", asOf: "2999-01-01" }, NEVER);
  assert.ok(Date.parse(`${asOf}Z`) <= Date.now() + 60_000, asOf);
});

test("pages have every datapoint once, also when others write in between, and end with null", async () => {
  await addProject("pages", "ab");
  const days = [1, 2, 3, 4, 5];
  const points = days.flatMap((day) => ["a", "b"].map((aoiId) => ({ aoiId, day, value: day })));
  await write("pages", ...points, ...points.map((point) => ({ ...point, algorithm: "ndmi_mean" })));
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const request = { project: "pages", limit: 3, version: "all", ...(cursor === undefined ? {} : { cursor }) };
    const page = await cube.getDatapoints(ann, request, NEVER);
    await write("pages", { day: 10 + seen.length, value: 1 });
    seen.push(...page.results.map(({ algorithm, aoiId, startDatetime }) => `${algorithm} ${aoiId} ${startDatetime}`));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  assert.equal(seen.length, 20);
  assert.equal(new Set(seen).size, 20);
});

test("a cursor that was changed is refused, or reads only what the caller may read", async () => {
  await addProject("tampered", "a");
  await write("tampered", { value: 1 }, { value: 2, day: 2 });
  const { cursor } = await cube.getDatapoints(ann, { project: "tampered", limit: 1 }, NEVER);
  assert.ok(cursor !== null);
  for (const wrong of ["x", `${cursor}A`, Buffer.from('["points:1",1,1,1,1,1,1]').toString("base64url")]) {
    await assert.rejects(values("tampered", { cursor: wrong }), { code: "INVALID-CURSOR" });
  }
  const parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  parts[1] += 1e12;
  const later = Buffer.from(JSON.stringify(parts)).toString("base64url");
  assert.deepEqual(await values("tampered", { cursor: later }), [2]);
  assert.deepEqual(await values("tampered", { cursor: later }, ben), []);
});

test("datapoints are selected by algorithm, source, area, period and the moment they were first seen", async () => {
  await addProject("filters", "abc");
  await write(
    "filters",
    { value: 1, aoiId: "a", day: 1 },
    { value: 2, aoiId: "b", day: 2 },
    { value: 3, aoiId: "b", day: 3, source: "L8" },
    { value: 4, aoiId: "c", day: 4, algorithm: "ndmi_mean" },
  );
  assert.deepEqual(await values("filters", { algorithms: ["ndmi_mean"] }), [4]);
  assert.deepEqual(await values("filters", { sources: ["L8"] }), [3]);
  assert.deepEqual(await values("filters", { aoiIds: ["b", "nowhere"] }), [2, 3]);
  const from = { startDatetime: "2024-01-02", endDatetime: "2024-01-03" };
  assert.deepEqual(await values("filters", from), [2, 3]);
  const { results } = await cube.getDatapoints(ann, { project: "filters" }, NEVER);
  const firstSeenFrom = results[0]!.firstSeen;
  await write("filters", { value: 5, day: 5 });
  assert.deepEqual(await values("filters", { firstSeenTo: firstSeenFrom }), [1, 2, 3, 4]);
  assert.deepEqual(await values("filters", { firstSeenFrom }), [1, 2, 3, 4, 5]);
});

function meeting(extent: NonNullable<Request["extent"]>): Promise<readonly number[]> {
  return values("extents", { extent });
}

test("an extent selects the areas whose outlines meet it, not their boxes only", async () => {
  await cube.saveProject(ann, { project: "extents" }, NEVER);
  const triangle = { type: "Polygon" as const, coordinates: [[[0, 0], [10, 0], [0, 10], [0, 0]]] as [number, number][][] }; // prettier-ignore
  const fiji = { type: "MultiPolygon" as const, coordinates: [square(179, -20).coordinates, square(-180, -20).coordinates] }; // prettier-ignore
  const aois = [
    { aoiId: "triangle", geometry: triangle },
    { aoiId: "fiji", geometry: fiji, tags: ["island"] },
  ];
  await cube.saveAois(ann, { project: "extents", aois }, NEVER);
  await write("extents", { aoiId: "triangle", value: 1 }, { aoiId: "fiji", value: 2 });
  assert.deepEqual(await meeting(square(1, 1)), [1]);
  assert.deepEqual(await meeting(square(8, 8)), []);
  assert.deepEqual(await meeting(square(-179.5, -19.5, 0.1)), [2]);
  assert.deepEqual(await meeting(square(179.5, -19.5, 0.1)), [2]);
  assert.deepEqual(await meeting(square(-180, -80, 160)), [2]);
  const { results } = await cube.getAois(ann, { project: "extents", tags: ["island"], includeGeometry: true }, NEVER);
  assert.deepEqual(
    results.map(({ aoiId, geometry }) => [aoiId, geometry?.type]),
    [["fiji", "MultiPolygon"]],
  );
});

test("aggregates of days, weeks and months are computed over areas or all", async () => {
  await addProject("aggregates", "ab");
  // 2024-01-01 is a Monday.
  const series: readonly (readonly [string, number, number])[] = [
    ["a", 1, 1], ["a", 2, 2], ["a", 7, 6], ["a", 8, 10], ["b", 3, 5], ["b", 32, 8],
  ]; // prettier-ignore
  await write("aggregates", ...series.map(([aoiId, day, value]) => ({ aoiId, day, value })));
  await write("aggregates", { aoiId: "a", day: 2, value: 3, version: "2" });
  type Aggregate = NonNullable<Request["aggregate"]>;
  const ask = (interval: Aggregate["interval"], statistic: Aggregate["statistic"], by: Aggregate["by"], limit = 1000) =>
    cube.getDatapoints(ann, { project: "aggregates", aggregate: { interval, statistic, by }, limit }, NEVER);
  const of = async (...asked: Parameters<typeof ask>) =>
    (await ask(...asked)).results.map(({ aoiId, startDatetime, value, count }) => [
      aoiId,
      startDatetime.slice(5, 10),
      value,
      count,
    ]);
  assert.deepEqual(await of("week", "mean", "aoi"), [
    ["a", "01-01", 10 / 3, 3],
    ["a", "01-08", 10, 1],
    ["b", "01-01", 5, 1],
    ["b", "01-29", 8, 1],
  ]);
  assert.deepEqual(await of("month", "median", "all"), [
    [null, "01-01", 5, 5],
    [null, "02-01", 8, 1],
  ]);
  assert.deepEqual(await of("month", "sum", "all"), [[null, "01-01", 25, 5], [null, "02-01", 8, 1]]); // prettier-ignore
  assert.deepEqual(await of("month", "max", "aoi"), [["a", "01-01", 10, 4], ["b", "01-01", 5, 1], ["b", "02-01", 8, 1]]); // prettier-ignore
  assert.deepEqual((await of("month", "min", "all")).map(([, , value]) => value), [1, 8]); // prettier-ignore
  assert.deepEqual((await of("day", "count", "all")).length, 6);
  const first = await ask("day", "mean", "aoi", 4);
  const request = { project: "aggregates", aggregate: { interval: "day", statistic: "mean", by: "aoi" } } as const;
  const rest = await cube.getDatapoints(ann, { ...request, cursor: first.cursor! }, NEVER);
  assert.deepEqual(
    [...first.results, ...rest.results].map(({ value }) => value),
    [1, 3, 6, 10, 5, 8],
  );
});

test("projects of others do not exist; shared ones are read by those with the permission", async () => {
  await addProject("secret", "a");
  await addProject("open", "a", true);
  for (const project of ["secret", "open"]) await write(project, { value: 1 }, { value: 2, algorithm: "ndmi_mean" });
  const narrow = caller("rivals", ["datacube.catalogue", "datacube.datapoints.open.ndvi_mean"]);
  assert.deepEqual(await values("secret", {}, ben), []);
  assert.deepEqual(await values("secret", {}, narrow), []);
  assert.deepEqual(await values("open", {}, ben), [1, 2]);
  assert.deepEqual(await values("open", {}, narrow), [1]);
  assert.deepEqual(await values("open", {}, caller("rivals", ["datacube.catalogue"])), []);
  const named = async (who: Caller) => {
    const { results } = await cube.getCatalogue(who, {}, NEVER);
    return results.filter(({ project }) => project === "secret" || project === "open").map((one) => one.algorithm);
  };
  assert.deepEqual([await named(ann), await named(ben), await named(narrow)].map((one) => one.length), [4, 2, 1]); // prettier-ignore
  assert.deepEqual((await cube.getAois(ben, { project: "secret" }, NEVER)).results, []);
  assert.equal((await cube.getAois(narrow, { project: "open" }, NEVER)).results.length, 1);
  const aois = [{ aoiId: "x", geometry: square(0, 0) }];
  await assert.rejects(cube.saveAois(ben, { project: "secret", aois }, NEVER), { code: "DATA-NOT-AVAILABLE" });
  await assert.rejects(cube.saveAois(ben, { project: "open", aois }, NEVER), { code: "NOT-AUTHORIZED" });
  await assert.rejects(cube.saveProject(ben, { project: "secret" }, NEVER), { code: "CONFLICT" });
  const datapoints = [{ algorithm: "a", source: "s", aoiId: "a", startDatetime: "2024-01-01", value: 1 }];
  await assert.rejects(cube.append(ben, { project: "secret", datapoints }, NEVER), { code: "DATA-NOT-AVAILABLE" });
});

test("the catalogue lists series, also by algorithm, with their counts", async () => {
  await addProject("listed", "ab");
  await write("listed", { value: 1 }, { value: 2, aoiId: "b", day: 9 }, { value: 3, version: "2" });
  const answer = await cube.getCatalogue(ann, { project: "listed" }, NEVER);
  assert.equal(answer.results.length, 1);
  const { lastFirstSeen, ...entry } = answer.results[0]!;
  assert.deepEqual(entry, {
    project: "listed",
    algorithm: "ndvi_mean",
    source: "S2",
    versions: ["2", "1"],
    latestVersion: "2",
    unit: "",
    description: "",
    cadence: "",
    aoiCount: 2,
    datapointCount: 3,
    startDatetime: "2024-01-01 00:00:00",
    endDatetime: "2024-01-09 00:00:00",
  });
  assert.deepEqual((answer as Record<string, unknown>)["ndvi_mean"], answer.results);
  const { results } = await cube.getCatalogue(ann, { project: "listed", updatedSince: lastFirstSeen! }, NEVER);
  assert.equal(results.length, 1);
  const future = await cube.getCatalogue(ann, { project: "listed", updatedSince: "2999-01-01" }, NEVER);
  assert.deepEqual(future.results, []);
});

function job(pipelineId: string, who: Caller): PipelineJob {
  return {
    pipelineId,
    attempt: 1,
    failures: 0,
    caller: who,
    baseUrl: "http://127.0.0.1",
    signal: NEVER,
    report: async () => {},
    savePartial: async () => {},
  };
}

test("a chart has the datapoints that the caller may read", async () => {
  await addProject("charted", "a");
  await write("charted", { value: 0.5, aoiId: "a", day: 1 }, { value: 0.7, aoiId: "a", day: 2 });
  const request = { project: "charted", format: "svg" } as const;
  const { results, svg } = await cube.getDatapoints(ann, request, NEVER);
  assert.deepEqual(results, []);
  assert.equal(svg?.match(/<circle cx/g)?.length, 2);
  assert.equal((await cube.getDatapoints(ben, request, NEVER)).svg, null);
});

async function tableOf(link: string): Promise<readonly Record<string, unknown>[]> {
  return await parquetReadObjects({ file: new Uint8Array(await file(link)).buffer });
}

test("a file has the datapoints of the filters that existing clients send, and no formulas", async () => {
  await addProject("wild", "ab");
  await write("wild", { value: 1, version: "1" }, { value: 2, version: "2" }, { value: -3, aoiId: "b", day: 2 });
  await cube.append(
    ann,
    {
      project: "wild",
      datapoints: [
        { algorithm: "area", source: "S2", aoiId: "a", startDatetime: "2024-01-01", value: 1, unit: "=1+1" },
      ],
    },
    NEVER,
  );
  const run = async (id: string, request: object, who = ann) => {
    const outcome = await cube.exportDatapoints.run(request, job(id.padEnd(20, "0"), who));
    const lines = (await file(outcome.result.csvLink)).toString().trimEnd().split("\r\n");
    return { ...outcome.result, rows: lines.slice(1).map((line) => line.split(",")) };
  };
  const project = { field: "project", type: "value-list", params: { values: ["wild"] } };
  const algorithm = { field: "algorithm", type: "value-list", params: { values: ["ndvi_mean"] } };
  const latest = await run("1", { filters: [project, algorithm], keepDuplicates: false });
  assert.deepEqual(
    latest.rows.map((row) => [row[3], row[6], row[8]]),
    [
      ["a", "2", "2"],
      ["b", "1", "-3"],
    ],
  );
  assert.equal(latest.count, 2);
  const table = await tableOf(latest.parquetLink);
  assert.deepEqual(
    table.map(({ aoiId, version, value, startDatetime, sceneId }) => [aoiId, version, value, startDatetime, sceneId]),
    latest.rows.map((row) => [row[3], row[6], Number(row[8]), new Date(`${row[4]}Z`), row[12] === "" ? null : row[12]]),
  );
  assert.deepEqual(
    table.map(({ firstSeen }) => (firstSeen as Date).toISOString()),
    latest.rows.map((row) => `${row[7]?.replace(" ", "T")}Z`),
  );
  const all = await run("2", { filters: [project, algorithm], keepDuplicates: true });
  assert.deepEqual(
    all.rows.map((row) => row[8]),
    ["2", "1", "-3"],
  );
  const aoi = { field: "aoi", type: "geo-intersects", params: { geometry: square(2, 0) } };
  assert.deepEqual(
    (await run("3", { filters: [project, aoi] })).rows.map((row) => row[3]),
    ["b"],
  );
  const label = { field: "aoi", type: "geo-intersects", params: { geometryLabel: "a" } };
  const labelled = await run("4", { filters: [project, label] });
  assert.deepEqual(
    labelled.rows.map((row) => row[9]),
    ["", "'=1+1"],
  );
  assert.equal((await tableOf(labelled.parquetLink))[1]?.["unit"], "=1+1", "a table runs no formulas");
  const none = await run("5", { project: "wild" }, ben);
  assert.deepEqual([none.count, await tableOf(none.parquetLink)], [0, []]);
  const version = { field: "version", type: "value-list", params: { values: ["1"] } };
  assert.equal((await run("6", { filters: [project, algorithm, version] })).count, 2);
  await assert.rejects(run("7", { filters: [{ ...aoi, type: "value-list" }] }), { code: "VALIDATION-ERROR" });
});

test("a product is read with its definition and its datapoints of the moment; without a right its sample only", async () => {
  await addProject("output", "a");
  // Days 1 and 40 are of January and February.
  await write("output", { value: 2, day: 1 }, { value: 4, day: 40 });
  const inputs = [{ project: "output", algorithm: "ndvi_mean", weight: 1 }];
  const definition = { name: "Output", inputs, formula: "pmi-50", sample: { from: "2024-02", to: "2024-02" } } as const;
  const define = (more: object = {}) =>
    cube.defineProduct(ann, { productId: "output", definition: { ...definition, ...more, inputs } }, NEVER);
  assert.deepEqual(await define(), { productId: "output", revision: 1 });
  const read = async (who: Caller, asOf?: string) => {
    const request = { productId: "output", ...(asOf === undefined ? {} : { asOf }) };
    return await cube.getProduct(who, request, NEVER);
  };
  const shown = ({ series }: Awaited<ReturnType<typeof read>>) => series.map(({ period, value }) => [period, value]);
  const first = await read(ann);
  assert.deepEqual(shown(first), [["2024-01", 40], ["2024-02", 60]]); // prettier-ignore
  const poor = caller("rivals", ["datacube.products"]);
  const sample = await read(poor);
  assert.deepEqual([shown(sample), sample.entitled], [[["2024-02", 60]], false]);
  await write("output", { value: 8, day: 1, version: "2" });
  await define({ formula: "rebased-100" });
  // Now 8 and 4: z = 1, -1.
  assert.deepEqual(shown(await read(ann)), [["2024-01", 100], ["2024-02", 80]]); // prettier-ignore
  assert.deepEqual(await read(ann, first.asOf), first);
  assert.deepEqual(shown(await read(poor, sample.asOf)), shown(sample));
  await assert.rejects(read(ann, "2020-01-01"), { code: "DATA-NOT-AVAILABLE" });
  const { components } = await cube.getProduct(ann, { productId: "output", includeComponents: true }, NEVER);
  assert.equal(components?.[0]?.values.length, 2);
  const { components: hidden } = await cube.getProduct(ben, { productId: "output", includeComponents: true }, NEVER);
  assert.deepEqual(hidden, []);
  const { results } = await cube.getProductCatalogue(poor, { category: "none" }, NEVER);
  assert.deepEqual(results, []);
  await assert.rejects(define({ sample: { from: "2024-02", to: "2024-01" } }), { code: "VALIDATION-ERROR" });
});

test("series get a description and a cadence, all or none, and keep what is absent", async () => {
  const project = "described";
  await cube.saveProject(ann, { project }, NEVER);
  await cube.saveAois(ann, { project, aois: [{ aoiId: "a", geometry: square(60, 10) }] }, NEVER);
  const point = { source: "S2", aoiId: "a", startDatetime: "2024-05-01 00:00:00", value: 0.4 };
  const datapoints = ["ndvi_mean", "ndvi_p50"].map((algorithm) => ({ ...point, algorithm }));
  await cube.append(ann, { project, datapoints }, NEVER);
  const ndvi = { algorithm: "ndvi_mean", source: "S2" };
  const texts = async () => {
    const { results } = await cube.getCatalogue(ann, { project }, NEVER);
    return results.map(({ algorithm, description, cadence }) => [algorithm, description, cadence]);
  };
  await cube.saveProject(ann, { project, series: [{ ...ndvi, description: "Greenness", cadence: "5 days" }] }, NEVER);
  await cube.saveProject(ann, { project, series: [{ ...ndvi, cadence: "weekly" }] }, NEVER);
  const kept = [
    ["ndvi_mean", "Greenness", "weekly"],
    ["ndvi_p50", "", ""],
  ];
  assert.deepEqual(await texts(), kept);

  const other = { algorithm: "ndvi_p50", source: "S2", cadence: "daily" };
  for (const [series, path] of [
    [[other, { ...ndvi, source: "S3" }], "/series/1"],
    [[other, other], "/series/1"],
  ] as const) {
    await assert.rejects(cube.saveProject(ann, { project, name: "Changed", series: [...series] }, NEVER), {
      code: "VALIDATION-ERROR",
      message: new RegExp(`^${path}: `),
    });
  }
  assert.deepEqual(await texts(), kept);
  const foreign = cube.saveProject(ben, { project, series: [{ ...ndvi, cadence: "never" }] }, NEVER);
  await assert.rejects(foreign, { code: "CONFLICT" });
  assert.deepEqual(await texts(), kept);
});
