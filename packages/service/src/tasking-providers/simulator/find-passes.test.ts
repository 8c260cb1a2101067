import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import { areaWindows } from "@swath/kernel/tasking/area-windows";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import { createPassSearch } from "../../platform/geometry/pass-search.ts";
import { findDataset } from "../../providers/registry.ts";
import { findPasses } from "./find-passes.ts";

const FROM_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

test("passes that are searched in pieces are those of the whole interval", async () => {
  await using passes = createPassSearch();
  const registered = findDataset("ab", "pleiades");
  const sensors = registered?.dataset.sensors;
  assert.ok(registered !== null && sensors !== null && sensors !== undefined);
  const geometry = boundsPolygon([14.4, 50, 14.5, 50.1]);
  const interval = { fromMs: FROM_MS, toMs: FROM_MS + 40 * DAY_MS };
  const query = { ...interval, registered, geometry, elementsMs: FROM_MS };
  const found = await findPasses({ orbits: simulatedOrbits, passes }, query, new AbortController().signal);
  const satellites = await simulatedOrbits.satellites("ab", "pleiades", FROM_MS);
  const expected = satellites.flatMap(({ name, catalogueNumber, elements }) => {
    const propagate = propagatorOfElements(elements);
    const imaging = { ...sensors, name, catalogueNumber, propagate, elementsEpochMs: elements.epochMs };
    return areaWindows(imaging, geometry, interval.fromMs, interval.toMs);
  });
  assert.ok(found.length > 5);
  assert.equal(found.length, expected.length);
  for (const [index, window] of expected.toSorted((a, b) => a.startMs - b.startMs).entries()) {
    assert.ok(Math.abs((found[index]?.startMs ?? 0) - window.startMs) < 5, `start of window ${index}`);
    assert.ok(Math.abs((found[index]?.endMs ?? 0) - window.endMs) < 5, `end of window ${index}`);
    assert.equal(found[index]?.coverageRatio, window.coverageRatio);
  }
});
