import assert from "node:assert/strict";
import { COAST_AREA, upload } from "./main-job.ts";
import type { RawClient } from "./raw-client.ts";

/** A project is created, found by its folder, changed, given maps, copied and deleted; another comes from a scene. */
export async function analysesJourney(demo: RawClient, sceneId: string): Promise<void> {
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
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  const maps = { sceneIds: [sceneId], mapTypes: ["imagery", "ndvi"], geometry: COAST_AREA };
  const { body: added } = await demo.run(`${path}/add-map-types`, { analysisId, ...maps });
  assert.deepEqual(Object.keys(added.sceneToFrameIds), [sceneId]);
  assert.equal((await demo.post(`${path}/get`, { analysisId })).body.status, 3);
  const spawned = await demo.run(`${path}/spawn-from-scene`, { sceneId, geometry: COAST_AREA });
  assert.equal(spawned.status, 200, JSON.stringify(spawned.body));
  const exported = await demo.run(`${path}/export`, { analysisId });
  assert.equal(exported.status, 200, JSON.stringify(exported.body));
  const zip = new Uint8Array(await (await fetch(exported.body.url)).arrayBuffer());
  const imported = await demo.run(`${path}/import`, { filepath: await upload(demo, zip, ".zip") });
  assert.deepEqual([imported.status, imported.body.unknownMaps], [200, 0], JSON.stringify(imported.body));
  const { body: copy } = await demo.post(`${path}/copy`, { analysisId });
  assert.notEqual(copy.analysisId, analysisId);
  assert.deepEqual((await demo.post(`${path}/delete`, { analysisId })).body, {});
  assert.equal((await demo.post(`${path}/get`, { analysisId })).status, 404);
}
