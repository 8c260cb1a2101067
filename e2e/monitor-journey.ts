import assert from "node:assert/strict";
import { COAST_AREA } from "./main-job.ts";
import type { RawClient } from "./raw-client.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" };

/** A monitor is created, found, changed, paused and deleted; creation charges nothing. */
export async function monitorJourney(demo: RawClient): Promise<void> {
  const path = "/monitor";
  const settings = {
    name: "North field",
    datasets: [DATASET],
    filter: { cloudCover: { $lte: 0.2 } },
    mapTypes: ["ndvi"],
    creditsPerMonth: 50,
    rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 },
    schedule: { everyMinutes: 1_440, overlapDays: 10 },
  };
  const credit = async () => (await demo.post("/credits/get-remaining-credit")).body;
  const before = await credit();
  const { status, body: created } = await demo.post(`${path}/create`, { ...settings, areas: COAST_AREA });
  assert.equal(status, 200, JSON.stringify(created));
  assert.deepEqual(await credit(), before, "creation charges nothing");
  const { looks, ...monitor } = created;
  // The first look may come at any moment.
  assert.deepEqual([looks.length, looks[0].provider, looks[0].failures], [1, DATASET.provider, 0]);
  assert.partialDeepStrictEqual(monitor, { ...settings, enabled: true, spentCredits: 0, reservedCredits: 0 });
  const monitorId = monitor.id;
  const {
    body: { looks: _, ...got },
  } = await demo.post(`${path}/get`, { monitorId });
  assert.deepEqual(got, { ...monitor, areas: COAST_AREA, scenes: [] });
  const { body: changed } = await demo.post(`${path}/update`, {
    monitorId,
    creditsPerMonth: 10.5,
    schedule: { everyMinutes: 15 },
  });
  assert.deepEqual([changed.creditsPerMonth, changed.schedule], [10.5, { everyMinutes: 15, overlapDays: 7 }]);
  const { body: paused } = await demo.post(`${path}/pause`, { monitorId });
  assert.deepEqual([paused.enabled, paused.looks[0].nextLookAt], [false, null]);
  const period = { monitorId, startDatetime: "2025-06-01", endDatetime: "2025-08-31" };
  const { body: plan } = await demo.run(`${path}/backfill/dry-run`, period);
  assert.ok(plan.scenes.length > 0 && plan.credits <= plan.leftCredits, JSON.stringify(plan));
  assert.deepEqual(await credit(), before, "a price charges nothing");
  const moved = await demo.run(`${path}/backfill`, { ...period, expectedCredits: plan.credits + 1 });
  assert.deepEqual([moved.status, moved.body.error], [424, "CONFLICT"]);
  const { body: backfilled } = await demo.run(`${path}/backfill`, { ...period, expectedCredits: plan.credits });
  assert.equal(backfilled.credits, plan.credits);
  const { body: page } = await demo.post(`${path}/list`);
  assert.deepEqual([page.results.length, page.results[0].id, page.cursor], [1, monitorId, null]);
  assert.equal((await demo.post(`${path}/pause`, { monitorId, paused: false })).body.enabled, true);
  assert.deepEqual((await demo.post(`${path}/delete`, { monitorId })).body, {});
  assert.equal((await demo.post(`${path}/get`, { monitorId })).status, 404);
  for (const wrong of [
    { budget: 5 },
    { rule: { ...settings.rule, measure: { mapType: "ndwi", statistic: "mean" } } },
    { rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" } } },
    { mapTypes: ["nothing"] },
    { schedule: { everyMinutes: 14 } },
    { schedule: { everyMinutes: 43_201 } },
    { schedule: { everyMinutes: 60, overlapDays: 61 } },
    { schedule: { everyMinutes: 60, hours: 1 } },
  ]) {
    const refused = await demo.post(`${path}/create`, { ...settings, areas: COAST_AREA, ...wrong });
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
  }
}
