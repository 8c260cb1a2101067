import assert from "node:assert/strict";
import { COAST_AREA, ingestCoast } from "../../e2e/main-job.ts";
import { RawClient } from "../../e2e/raw-client.ts";
import { DEMO, type ServiceProcess } from "../../e2e/service-process.ts";

/** Ingests a scene and makes a map of it. @returns the address of the console that shows the map */
export async function sharedMap(service: ServiceProcess): Promise<string> {
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const { body } = await demo.run("/mapsvc/release", {
    mapTypes: ["ndvi"],
    sceneIds: [sceneId],
    extent: COAST_AREA,
    allocate: true,
  });
  const [map] = body.maps;
  assert.ok(map !== undefined, JSON.stringify(body));
  const layer = [map.mapId, "ndvi.png", "1"].map(encodeURIComponent).join(":");
  const query = new URLSearchParams({ v: "15.0115,0.893,13", l: layer });
  return `${service.baseUrl}/console?${query.toString()}`;
}
