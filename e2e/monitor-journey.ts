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
  };
  const credit = async () => (await demo.post("/credits/get-remaining-credit")).body;
  const before = await credit();
  const { status, body: monitor } = await demo.post(`${path}/create`, { ...settings, areas: COAST_AREA });
  assert.equal(status, 200, JSON.stringify(monitor));
  assert.deepEqual(await credit(), before, "creation charges nothing");
  assert.partialDeepStrictEqual(monitor, { ...settings, enabled: true, spentCredits: 0, reservedCredits: 0 });
  const monitorId = monitor.id;
  const { body: got } = await demo.post(`${path}/get`, { monitorId });
  assert.deepEqual(got, { ...monitor, areas: COAST_AREA, scenes: [] });
  const { body: changed } = await demo.post(`${path}/update`, { monitorId, creditsPerMonth: 10.5 });
  assert.equal(changed.creditsPerMonth, 10.5);
  const { body: paused } = await demo.post(`${path}/pause`, { monitorId });
  assert.equal(paused.enabled, false);
  const period = { monitorId, startDatetime: "2025-06-01", endDatetime: "2025-08-31" };
  const { body: plan } = await demo.run(`${path}/backfill/dry-run`, period);
  assert.ok(plan.scenes.length > 0 && plan.credits <= plan.leftCredits, JSON.stringify(plan));
  assert.deepEqual(await credit(), before, "a price charges nothing");
  const moved = await demo.run(`${path}/backfill`, { ...period, expectedCredits: plan.credits + 1 });
  assert.deepEqual([moved.status, moved.body.error], [424, "CONFLICT"]);
  const { body: backfilled } = await demo.run(`${path}/backfill`, { ...period, expectedCredits: plan.credits });
  assert.equal(backfilled.credits, plan.credits);
  const { body: page } = await demo.post(`${path}/list`);
  assert.deepEqual(page, { results: [paused], cursor: null });
  assert.equal((await demo.post(`${path}/pause`, { monitorId, paused: false })).body.enabled, true);
  assert.deepEqual((await demo.post(`${path}/delete`, { monitorId })).body, {});
  assert.equal((await demo.post(`${path}/get`, { monitorId })).status, 404);
  for (const wrong of [
    { budget: 5 },
    { rule: { ...settings.rule, measure: { mapType: "ndwi", statistic: "mean" } } },
    { rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" } } },
    { mapTypes: ["nothing"] },
  ]) {
    const refused = await demo.post(`${path}/create`, { ...settings, areas: COAST_AREA, ...wrong });
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
  }
}
