import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

const HARBOUR = { type: "Point", coordinates: [103.85, 1.26] } as const;
const DAY_MS = 86_400_000;

/** A study finds windows with geometry, clouds and price; a credit check of one window answers the same price. */
export async function feasibilityJourney({
  admin,
  demo,
}: Readonly<Record<"admin" | "demo", RawClient>>): Promise<void> {
  const nowMs = Date.now();
  const interval = {
    startTime: new Date(nowMs + 2 * DAY_MS).toISOString(),
    endTime: new Date(nowMs + 9 * DAY_MS).toISOString(),
  };
  const spotlight = { dataset: "spotlight", name: "harbour", geometry: HARBOUR, priority: "priority" };
  const study = await demo.run("/scene-tasking/feasibility", { ...spotlight, ...interval, isFeasibility: true });
  assert.equal(study.status, 200, JSON.stringify(study.body));
  assert.deepEqual([study.body.dataset, study.body.areaKm2], ["spotlight", 25]);
  assert.deepEqual(study.body.originalGeometry, HARBOUR);
  const { windows } = study.body;
  assert.ok(windows.length > 0, "a constellation passes within a week");
  const starts = windows.map(({ startTime }: { startTime: string }) => Date.parse(startTime));
  assert.deepEqual(
    starts,
    starts.toSorted((one: number, other: number) => one - other),
  );
  const [window] = windows;
  assert.ok(window.incidence > 0 && window.coverageRatio > 0 && window.uncertaintySeconds >= 1);
  assert.ok(["left", "right"].includes(window.lookSide) && ["ascending", "descending"].includes(window.pass));

  const order = { ...spotlight, windowId: window.windowId };
  const check = await demo.post("/scene-tasking/check-credit", order);
  assert.equal(check.status, 200, JSON.stringify(check.body));
  assert.deepEqual([check.body.areaKm2, check.body.cost], [25, window.price]);
  assert.equal((await admin.post("/scene-tasking/check-credit", order)).status, 404, "the window is of another group");
  const long = await demo.post("/scene-tasking/check-credit", { ...order, ...interval });
  assert.match(long.body.errorMessage, /is 168 h after startTime, expected 1 h to 48 h/);
  const misspelt = await demo.post("/scene-tasking/check-credit", { ...order, windowID: "x" });
  assert.deepEqual([misspelt.status, misspelt.body.details[0].didYouMean], [422, "windowId"]);
  const foreign = await demo.post("/scene-tasking/feasibility/initiate", { ...spotlight, priority: "express" });
  assert.equal(foreign.status, 422);
  assert.match(foreign.body.errorMessage, /expected one of flexible, standard, priority, urgent/);

  const params = [
    { ...spotlight, ...interval },
    { ...spotlight, ...interval, dataset: "newsat", priority: "assured", orderOptions: { maxCloudCover: 0.1 } },
  ];
  const multi = await demo.run("/scene-tasking/multi-feasibility", { params });
  assert.equal(multi.status, 200, JSON.stringify(multi.body));
  assert.deepEqual(multi.body.failedDatasets, []);
  assert.deepEqual(
    multi.body.results.map(({ dataset }: { dataset: string }) => dataset),
    ["spotlight", "newsat"],
  );
  const [, optical] = multi.body.results;
  assert.ok(optical.windows.length > 0, "the sun is high at the equator");
  assert.ok(
    optical.windows.every(
      (one: { cloudProbability: number; expectedAttempts: number; sunElevation: number }) =>
        one.cloudProbability > 0 && one.cloudProbability < 1 && one.expectedAttempts > 1 && one.sunElevation > 0,
    ),
  );
}
