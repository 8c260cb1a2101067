import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../../platform/context.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { createCatalog } from "../../../providers/catalog.ts";
import { defineDataset, type ProviderDescriptor } from "../../../providers/provider.ts";
import { opticalSensors } from "../../../providers/tasking-sensors.ts";
import { opticalTasking } from "../../../providers/tasking-info.ts";
import { createPassSearch } from "../../../platform/geometry/pass-search.ts";
import { importedElements } from "../../../tasking-providers/orbits/elements-for.ts";
import { orbitWindows } from "../../../tasking-providers/orbits/orbit-windows.ts";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { createAuditService } from "../../audit/service.ts";
import { importElements, type ElementsDeps } from "./import-elements.ts";
import { listedElements } from "./list-elements.ts";
import { LINE_1, LINE_2, OMM, ommOf } from "./testing.ts";

const NOW = "2026-10-03T00:00:00Z";
const DAY_MS = 86_400_000;
const admin: Caller = {
  kind: "user",
  userId: "ann",
  groupId: "group-1",
  email: "ann@example.org",
  permissions: new Set(),
};
const acme: ProviderDescriptor = {
  id: "acme",
  name: "Acme",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "visual",
      name: "Visual",
      type: "optical",
      resolutionClass: "high",
      resolutionM: [0.5, 1],
      attribution: "Acme",
      changeGroup: "acme",
      externalProvider: "Acme",
      taskingInfo: opticalTasking({ preallocationAreaKm2: 25, resolutionM: { min: 0.5, max: 1 } }),
      sensors: opticalSensors({
        maxOffNadirDeg: 30,
        swathKm: 20,
        latencyHours: 6,
        satellites: [
          { name: "ACME-1", catalogueNumber: 40_697, meanMotionRevPerDay: 14.308 },
          { name: "ACME-2", catalogueNumber: 61_002, meanMotionRevPerDay: null },
        ],
      }),
    }),
  ],
};
const catalog = createCatalog([acme]);

function depsOf(db: Db, now = NOW): ElementsDeps {
  const clock = { now: () => new Date(now) };
  return { db, clock, catalog, audit: createAuditService({ db, clock }) };
}

test("sets of known satellites are imported once and listed, others are ignored or refused with the reason", async () => {
  await using database = await testDatabase();
  const deps = depsOf(database.db);
  const lines = await importElements(deps, admin, `SENTINEL-2A\n${LINE_1}\n${LINE_2}`, undefined);
  const [first] = lines.results;
  assert.deepEqual([lines.format, lines.imported, first?.status], ["tle", 1, "imported"]);
  const messages = [
    OMM,
    ommOf(61_002, { MEAN_MOTION: 15.2 }),
    ommOf(7),
    ommOf(40_697, { MEAN_MOTION: 14.4 }),
    ommOf(61_002, { ECCENTRICITY: 0.03 }),
    ommOf(61_002, { EPOCH: "2026-07-01T00:00:00" }),
    { ...OMM, BSTAR: "NaN" },
  ];
  const { imported, results } = await importElements(deps, admin, JSON.stringify(messages), undefined);
  assert.equal(imported, 1);
  // The message has the elements of the lines.
  assert.deepEqual(
    results.map(({ status }) => status),
    ["known", "imported", "ignored", "refused", "refused", "refused", "refused"],
  );
  assert.match(results[3]?.reasons.join() ?? "", /mean motion is 14.4 revolutions a day, expected 14.308 within 0.05/);
  assert.match(results[4]?.reasons.join() ?? "", /eccentricity is 0.03, expected less than 0.02/);
  assert.match(results[5]?.reasons.join() ?? "", /94.0 days from now, expected at most 60/);
  assert.match(results[6]?.reasons.join() ?? "", /BSTAR is "NaN"/);
  const again = await importElements(deps, admin, JSON.stringify(messages.slice(0, 2)), undefined);
  assert.deepEqual([again.imported, ...again.results.map(({ status }) => status)], [0, "known", "known"]);
});

test("the list pages from the latest import, by satellite and newest epoch, and names stale sets", async () => {
  await using database = await testDatabase();
  const deps = depsOf(database.db);
  const epochs = ["2026-09-28", "2026-10-02", "2026-09-10"].map((day) => `${day}T00:00:00`);
  for (const EPOCH of epochs) {
    const { results } = await importElements(deps, admin, JSON.stringify([{ ...OMM, EPOCH }]), undefined);
    assert.equal(results[0]?.reasons.length, EPOCH.startsWith("2026-09-10") ? 1 : 0);
  }
  await importElements(deps, admin, JSON.stringify([ommOf(61_002)]), undefined);
  const first = await listedElements(deps, { limit: 3 });
  assert.deepEqual(
    first.results.map(({ catalogueNumber, epoch, state }) => [catalogueNumber, epoch.slice(0, 10), state]),
    [
      [61_002, "2026-10-01", "fresh"],
      [40_697, "2026-09-10", "stale"],
      [40_697, "2026-10-02", "fresh"],
    ],
  );
  assert.ok(first.cursor !== null);
  const { results, cursor } = await listedElements(deps, { limit: 3, cursor: first.cursor });
  assert.deepEqual([results.length, results[0]?.epoch.slice(0, 10), cursor], [1, "2026-09-28", null]);
  const newest = await listedElements(deps, { newestOnly: true, catalogueNumber: 40_697 });
  assert.deepEqual(
    newest.results.map(({ epoch, importedBy, name }) => [epoch.slice(0, 10), importedBy, name]),
    [["2026-10-02", "ann", "SENTINEL-2A"]],
  );
  const later = await listedElements({ ...deps, clock: { now: () => new Date("2027-01-01T00:00:00Z") } }, {});
  assert.ok(later.results.every(({ state }) => state === "refused"));
});

test("two processes that import the same text store each set once", async () => {
  await using database = await testDatabase();
  const deps = depsOf(database.db);
  const text = JSON.stringify([OMM, ommOf(61_002)]);
  const answers = await Promise.all(Array.from({ length: 4 }, () => importElements(deps, admin, text, undefined)));
  assert.equal(
    answers.reduce((sum, { imported }) => sum + imported, 0),
    2,
  );
  assert.equal((await listedElements(deps, {})).results.length, 2);
});

test("a text without a set is refused", async () => {
  await using database = await testDatabase();
  const deps = depsOf(database.db);
  await assert.rejects(
    importElements(deps, admin, "<!DOCTYPE a><a/>", undefined),
    (error) =>
      error instanceof ServiceError && error.code === "VALIDATION-ERROR" && /document type/.test(error.message),
  );
});

test("windows of a dataset come from the newest imported set; without one, or an old one, the reason is named", async () => {
  await using database = await testDatabase();
  await using passes = createPassSearch();
  const deps = depsOf(database.db);
  const registered = catalog.findDataset("acme", "visual");
  assert.ok(registered !== null);
  const { signal } = new AbortController();
  const nowMs = Date.parse(NOW);
  const request = { geometry: boundsPolygon([14.4, 50, 14.5, 50.1]), fromMs: nowMs, toMs: nowMs + 14 * DAY_MS };
  const windowsOf = (interval: Partial<typeof request> = {}) =>
    orbitWindows(
      { elementsFor: importedElements(database.db), passes },
      registered,
      { ...request, ...interval },
      nowMs,
      signal,
    );
  await assert.rejects(windowsOf(), /no satellite of the dataset visual has elements/);
  await importElements(deps, admin, JSON.stringify([{ ...OMM, EPOCH: "2026-09-10T00:00:00" }]), undefined);
  await importElements(deps, admin, `${LINE_1}\n${LINE_2}`, undefined);
  const windows = await windowsOf();
  // Skyfield finds seven passes by day until 15 October; the one of the 6th is repeated after ten days.
  assert.deepEqual(
    windows.map(({ startMs }) => new Date(startMs).getUTCDate()),
    [3, 6, 7, 9, 10, 12, 13, 16],
  );
  for (const { satellite, mode, computedFrom, uncertaintyS } of windows) {
    assert.deepEqual([satellite, mode, uncertaintyS], ["ACME-1", "standard", 1]);
    assert.equal(computedFrom["catalogueNumber"], 40_697);
    assert.match(String(computedFrom["epoch"]), /^2026-10-01T07:09:57/);
  }
  assert.equal(windows.filter(({ computedFrom }) => "warning" in computedFrom).length, 1);
  await assert.rejects(
    windowsOf({ fromMs: nowMs + 59 * DAY_MS, toMs: nowMs + 61 * DAY_MS }),
    (error) => error instanceof ServiceError && error.code === "DATA-NOT-AVAILABLE" && /at most 60/.test(error.message),
  );
});
