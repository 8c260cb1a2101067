import assert from "node:assert/strict";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import type { ServiceProcess } from "../service-process.ts";

/** Ingests the coast and makes its maps. Returns the map IDs in the order of the types. */
export async function makeCoastMaps(
  service: ServiceProcess,
  mapTypes: readonly string[],
): Promise<{ readonly sceneId: string; readonly mapIds: readonly string[] }> {
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const request = { mapTypes, sceneIds: [sceneId], extent: COAST_AREA, allocate: true };
  const { status, body } = await demo.run("/mapsvc/release", request);
  assert.equal(status, 200, JSON.stringify(body));
  const idOf = (mapType: string): string => {
    const made = body.maps.find((map: { mapType: string }) => map.mapType === mapType);
    assert.ok(made !== undefined, JSON.stringify(body));
    return made.mapId;
  };
  return { sceneId, mapIds: mapTypes.map(idOf) };
}
