import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { withoutDrag } from "@swath/kernel/orbits/element-set";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import { areaWindows } from "@swath/kernel/tasking/area-windows";
import { createPassSearch } from "./pass-search.ts";
import type { QueriedSatellite } from "./pass-query.ts";

const FROM_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;
const area = boundsPolygon([14, 50, 14.7, 50.45]);
const limits = { kind: "optical", maxOffNadirDeg: 30, minSunElevationDeg: 15 } as const;

function satelliteAt(index: number, epochMs = FROM_MS): QueriedSatellite {
  const elements = {
    epochMs,
    meanMotionRevPerDay: 14.6,
    eccentricity: 0.0001,
    inclinationDeg: 97.9,
    nodeDeg: (index * 137) % 360,
    perigeeDeg: 90,
    meanAnomalyDeg: (index * 83) % 360,
  };
  return { elements: withoutDrag(elements, `SAT-${index}`, 90_000 + index), limits, swathKm: 20, setupGapS: 30 };
}

test("windows of many satellites come from threads, ascending, and are those of each satellite", async () => {
  await using search = createPassSearch();
  const satellites = Array.from({ length: 20 }, (_, index) => satelliteAt(index));
  const query = { satellites, area, fromMs: FROM_MS, toMs: FROM_MS + 7 * DAY_MS };
  const { windows, failed } = await search.find(query, new AbortController().signal);
  assert.deepEqual(failed, []);
  assert.ok(windows.length > 20);
  assert.ok(windows.every(({ startMs }, index) => startMs >= (windows[index - 1]?.startMs ?? 0)));
  const one = satelliteAt(0);
  const { name, catalogueNumber, epochMs } = one.elements;
  const propagate = propagatorOfElements(one.elements);
  const imaging = { ...one, name, catalogueNumber, propagate, elementsEpochMs: epochMs };
  const expected = areaWindows(imaging, area, query.fromMs, query.toMs);
  const own = windows.filter((window) => window.catalogueNumber === catalogueNumber);
  assert.deepEqual(
    own.map(({ startMs, endMs }) => [Math.round(startMs / 10), Math.round(endMs / 10)]),
    expected.map(({ startMs, endMs }) => [Math.round(startMs / 10), Math.round(endMs / 10)]),
  );
});

test("a satellite with old elements is named, the windows of the others are found", async () => {
  await using search = createPassSearch();
  const satellites = [satelliteAt(1), satelliteAt(2, FROM_MS - 70 * DAY_MS)];
  const query = { satellites, area, fromMs: FROM_MS, toMs: FROM_MS + 7 * DAY_MS };
  const { windows, failed } = await search.find(query, new AbortController().signal);
  assert.ok(windows.length > 0);
  assert.deepEqual(
    failed.map(({ name, catalogueNumber }) => [name, catalogueNumber]),
    [["SAT-2", 90_002]],
  );
  assert.match(failed[0]?.message ?? "", /77.0 days from the requested interval, expected at most 60/);
});

test("an area that is too long is refused, and an aborted search ends", async () => {
  await using search = createPassSearch();
  const interval = { fromMs: FROM_MS, toMs: FROM_MS + 14 * DAY_MS };
  const long = { satellites: [satelliteAt(1)], area: boundsPolygon([0, 0, 30, 10]), ...interval };
  await assert.rejects(search.find(long, new AbortController().signal), /km long, expected at most 2000/);
  const abort = new AbortController();
  const many = { satellites: Array.from({ length: 500 }, (_, index) => satelliteAt(index)), area, ...interval };
  const found = search.find(many, abort.signal);
  abort.abort(new Error("the caller went away"));
  await assert.rejects(found, /went away/);
});

test("the thread that answers stays free during a search", async () => {
  await using search = createPassSearch();
  const satellites = Array.from({ length: 40 }, (_, index) => satelliteAt(index));
  const query = { satellites, area, fromMs: FROM_MS, toMs: FROM_MS + 14 * DAY_MS };
  // The first search starts the thread.
  await search.find({ ...query, satellites: satellites.slice(0, 1) }, new AbortController().signal);
  const before = performance.eventLoopUtilization();
  await search.find(query, new AbortController().signal);
  const { utilization } = performance.eventLoopUtilization(before);
  assert.ok(utilization < 0.5, `${utilization} of the time`);
});
