import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

/** A project is created, found by its folder, changed, copied and deleted. */
export async function analysesJourney({ demo }: Readonly<Record<"demo", RawClient>>): Promise<void> {
  const path = "/analytics/analysis";
  const analysis = {
    description: "Crops of a season",
    path: "fields/2026",
    polygon: {
      type: "Feature",
      properties: { name: "North field" },
      geometry: { type: "Polygon", coordinates: [[[14, 50], [14.1, 50], [14.1, 50.1], [14, 50.1], [14, 50]]] }, // prettier-ignore
    },
    task: [{ id: "change", mapType: "change", type: "map", wrt: "prev" }],
    tags: ["rye"],
  };
  const { body: saved } = await demo.post(`${path}/create-or-update`, { analysis });
  const { analysisId } = saved;
  const got = await demo.post(`${path}/get`, { analysisId });
  assert.equal(got.status, 200, JSON.stringify(got.body));
  assert.deepEqual(got.body.polygon, analysis.polygon);
  const { body: page } = await demo.post(`${path}/list`, { path: "^fields/" });
  assert.deepEqual(
    page.results.map(({ id }: { id: string }) => id),
    [analysisId],
  );
  const { body: changed } = await demo.post(`${path}/create-or-update`, {
    analysisId,
    ifVersion: saved.version,
    analysis: { tags: ["rye", "winter"] },
  });
  assert.deepEqual(changed, { analysisId, version: 2 });
  const { body: copy } = await demo.post(`${path}/copy`, { analysisId });
  assert.notEqual(copy.analysisId, analysisId);
  assert.deepEqual((await demo.post(`${path}/delete`, { analysisId })).body, {});
  assert.equal((await demo.post(`${path}/get`, { analysisId })).status, 404);
}
