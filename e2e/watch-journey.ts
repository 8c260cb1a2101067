import assert from "node:assert/strict";
import { COAST_AREA } from "./main-job.ts";
import type { RawClient } from "./raw-client.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" };

/** A search is kept, found, paused and deleted. */
export async function standingQueryJourney(demo: RawClient): Promise<void> {
  const path = "/imagery/standing-query";
  const { status, body: query } = await demo.post(`${path}/create`, {
    name: "North field",
    areas: COAST_AREA,
    datasets: [DATASET],
    filter: { cloudCover: { $lte: 0.2 } },
  });
  assert.equal(status, 200, JSON.stringify(query));
  const queryId = query.id;
  const { body: got } = await demo.post(`${path}/get`, { queryId });
  assert.deepEqual(got, { ...query, areas: COAST_AREA, matches: [] });
  const { body: paused } = await demo.post(`${path}/update`, { queryId, enabled: false });
  assert.equal(paused.enabled, false);
  const { body: page } = await demo.post(`${path}/list`);
  assert.deepEqual(page, { results: [paused], cursor: null });
  assert.deepEqual((await demo.post(`${path}/delete`, { queryId })).body, {});
  assert.equal((await demo.post(`${path}/get`, { queryId })).status, 404);
  const misspelt = { name: "x", areas: COAST_AREA, datasets: [DATASET], cloudCover: 0.2 };
  assert.equal((await demo.post(`${path}/create`, misspelt)).status, 422);
}
