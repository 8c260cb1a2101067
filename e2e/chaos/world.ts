import assert from "node:assert/strict";
import { COAST_AREA, ingestCoast, upload } from "../main-job.ts";
import { coastGeotiff } from "../make-geotiff.ts";
import type { RawClient } from "../raw-client.ts";
import { boundsPolygon } from "../../packages/kernel/src/geometry/bounds-polygon.ts";
import type { World } from "./work.ts";

/** Where the simulator is asked for scenes. */
export const NEAR_PRAGUE = boundsPolygon([14.4, 50.05, 14.41, 50.06]);

export const SIMULATED_SEARCH = {
  datasets: [{ provider: "pl", dataset: "PSScene4Band_tile" }],
  extent: NEAR_PRAGUE,
  startDatetime: "2024-06-01 00:00:00",
  endDatetime: "2024-06-20 00:00:00",
  minIntersection: 1,
} as const;

/** Ingests the scenes, pays for one of them and releases a map of it. */
export async function makeWorld(demo: RawClient): Promise<World> {
  const sceneId = await ingestCoast(demo);
  const soldSceneId = await ingestOther(demo);
  const area = { sceneIds: [sceneId], geojson: COAST_AREA };
  assert.equal((await demo.post("/credits/area/allocate-geojson", area)).status, 200);
  const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds: [sceneId], extent: COAST_AREA });
  assert.equal(released.status, 200, JSON.stringify(released.body));
  const [map] = released.body.maps;
  const found = await demo.run("/imagery/search", SIMULATED_SEARCH);
  const simulatedIds: string[] = found.body.results.map((scene: { sceneId: string }) => scene.sceneId);
  assert.ok(simulatedIds.length >= 2, JSON.stringify(found.body));
  return { sceneId, soldSceneId, mapId: map.mapId, zoom: map.tiles[0][0], simulatedIds: simulatedIds.toReversed() };
}

/** The same place as the coast, other pixels. */
async function ingestOther(demo: RawClient): Promise<string> {
  const filepath = await upload(
    demo,
    coastGeotiff({ value: (band, column, row) => 100 + band + ((column + row) % 50) }),
  );
  const { status, body } = await demo.post("/imagery/ingest-scene", { provider: "local", filepath });
  assert.equal(status, 200, JSON.stringify(body));
  return body.ingestedScenes[0].sceneId;
}
