import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { withoutDrag } from "@swath/kernel/orbits/element-set";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import { createPassSearch } from "../../../platform/geometry/pass-search.ts";
import { findDataset } from "../../../providers/registry.ts";
import type { OfferedWindow, TaskingRequest } from "../../../tasking-providers/tasking-provider.ts";
import { hoursFromNow, SPOTLIGHT, studyBench } from "./testing.ts";

const STUDY = "/scene-tasking/feasibility";
const SATELLITES = 200;
/** The study computes for seconds; the loop of the server is held for a small part of them, also on a slow machine. */
const MOST_HELD_MS = 1_000;

/** Windows of a constellation of 200, whose satellites follow each other around the equator. */
async function crowdedWindows(
  passes: ReturnType<typeof createPassSearch>,
  request: TaskingRequest,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const [one] = await simulatedOrbits.satellites("ab", "pleiades", Date.now());
  const sensors = findDataset("ab", "pleiades")?.dataset.sensors;
  assert.ok(one !== undefined && sensors);
  const { limits, swathKm, setupGapS, mode } = sensors;
  const satellites = Array.from({ length: SATELLITES }, (_, index) => {
    const elements = { ...one.elements, nodeDeg: (one.elements.nodeDeg + index * (360 / SATELLITES)) % 360 };
    return { elements: withoutDrag(elements, `sat-${index}`, index + 1), limits, swathKm, setupGapS };
  });
  const { geometry: area, fromMs, toMs } = request;
  const { windows, failed } = await passes.find({ satellites, area, fromMs, toMs }, signal);
  assert.deepEqual(failed, []);
  return windows.map(({ catalogueNumber, elementsEpochMs, ...window }) => ({
    ...window,
    mode,
    offerId: null,
    computedFrom: { catalogueNumber, epoch: new Date(elementsEpochMs).toISOString() },
  }));
}

test("a study of 200 satellites and 14 days does not delay the requests of another user", async () => {
  await using passes = createPassSearch();
  const running = Promise.withResolvers<void>();
  await using bench = await studyBench({
    adapters: {
      pleiades: {
        feasibility(request, signal) {
          running.resolve();
          return crowdedWindows(passes, request, signal);
        },
      },
    },
  });
  const [large, small] = [await bench.addUser("large"), await bench.addUser("small")];
  const order: string[] = [];
  const fortnight = hoursFromNow(48, 16 * 24);
  const crowded = bench
    .run(STUDY, { ...SPOTLIGHT, ...fortnight, dataset: "pleiades" }, large)
    .finally(() => order.push("large"));
  await running.promise;
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const quick = await bench.run(STUDY, { ...SPOTLIGHT, ...hoursFromNow(48, 96) }, small);
  assert.equal(quick.status, 200, JSON.stringify(quick.body));
  order.push("small");
  const { status: ended, body } = await crowded;
  loop.disable();
  assert.equal(ended, 200, JSON.stringify(body));
  assert.equal(body.windows.length, SATELLITES, "200 windows at most");
  assert.deepEqual(order, ["small", "large"]);
  assert.ok(loop.max / 1e6 < MOST_HELD_MS, `the loop was held for ${Math.round(loop.max / 1e6)} ms`);
});
