import assert from "node:assert/strict";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { RawClient, type Answer } from "../raw-client.ts";
import { ADMIN, DEMO, type ServiceProcess } from "../service-process.ts";

/** Markup that would run a script, and the mark that turns the direction of all text behind it. */
const START = "<img src=x onerror=globalThis.ran=true>\u202e";

/** A name of markup, a mark and one word without an end, as long as is allowed. The last letters are `what`. */
export function hostileName(what: string, chars: number): string {
  return START + "W".repeat(chars - START.length - what.length) + what;
}

export interface HostileNames {
  readonly analysisId: string;
  readonly monitorId: string;
  readonly orderId: string;
  readonly mapId: string;
  /** Map ID of a link. */
  readonly linkedMapId: string;
}

/** Gives hostile names to everything that a person can name, by the API. */
export async function nameEverything(service: ServiceProcess): Promise<HostileNames> {
  const anyone = new RawClient(service.baseUrl);
  await nameByAdministrator(await anyone.login(ADMIN));
  const demo = await anyone.login(DEMO);
  const monitorId = await makeMonitor(demo);
  const sceneId = await ingestCoast(demo);
  const release = { mapTypes: ["ndvi"], sceneIds: [sceneId], extent: COAST_AREA, allocate: true };
  const { mapId } = answered(await demo.run("/mapsvc/release", release)).maps[0];
  const link = answered(await demo.post("/mapsvc/link/create", { mapId, name: hostileName("link", 100) }));
  answered(
    await demo.post("/geojson/feature/save", {
      type: "Feature",
      geometry: COAST_AREA,
      properties: { name: hostileName("area", 500) },
    }),
  );
  answered(
    await demo.post("/api/features/create", {
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: [15, 1] },
          properties: { collection: "pins", name: hostileName("pin", 500) },
        },
      ],
    }),
  );
  answered(
    await demo.post("/webhook/create", {
      url: `https://hooks.example.org/${"W".repeat(500)}webhook?<img/src=x>`,
      description: hostileName("webhook", 200),
    }),
  );
  answered(
    await demo.post("/user/api-key/create", { name: hostileName("key", 100), permissions: ["imagery.monitors"] }),
  );
  answered(await demo.run("/mapsvc/pdf-report", { maps: [mapId], title: hostileName("report", 120) }));
  return {
    analysisId: await makeAnalysis(demo, sceneId),
    monitorId,
    orderId: await placeOrder(demo),
    mapId,
    linkedMapId: link.mapId,
  };
}

async function nameByAdministrator(admin: RawClient): Promise<void> {
  const { results: users } = answered(await admin.post("/user/list", {}));
  const userId = users.find((one: { email: string }) => one.email === DEMO.email).id;
  answered(await admin.post("/user/manage", { userId, set: { name: hostileName("user", 200) } }));
  const { results: groups } = answered(await admin.post("/group/list", {}));
  const groupId = groups.find((one: { name: string }) => one.name === "Demo").id;
  answered(await admin.post("/group/manage", { groupId, set: { name: hostileName("group", 200) } }));
  answered(await admin.post("/organization/create", { name: hostileName("organisation", 200) }));
  answered(await admin.post("/credits/grant", { groupId, credit: 1, note: hostileName("note", 500) }));
  answered(
    await admin.post("/credits/price-rules/create", {
      provider: "local",
      dataset: "uploads",
      groupId,
      creditsPerKm2: 0.5,
    }),
  );
}

async function makeMonitor(demo: RawClient): Promise<string> {
  const rule = { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, above: -1 };
  const areas = {
    type: "FeatureCollection",
    features: [{ type: "Feature", geometry: COAST_AREA, properties: { name: hostileName("watched", 200) } }],
  };
  const created = await demo.post("/monitor/create", {
    name: hostileName("monitor", 200),
    areas,
    datasets: [{ provider: "local", dataset: "uploads" }],
    mapTypes: ["ndvi"],
    creditsPerMonth: 50,
    rule,
  });
  return answered(created).id;
}

async function makeAnalysis(demo: RawClient, sceneId: string): Promise<string> {
  const polygon = { type: "Feature", geometry: COAST_AREA, properties: { name: hostileName("analysis", 500) } };
  const analysis = {
    polygon,
    description: hostileName("description", 500),
    path: `${hostileName("folder", 120)}/${hostileName("below", 120)}`,
    tags: [hostileName("tag", 100)],
    hiddenFeatures: [hostileName("object", 100)],
    innerPolygons: [{ ...polygon, id: "part", properties: { name: hostileName("part", 500) } }],
  };
  const { analysisId } = answered(await demo.post("/analytics/analysis/create-or-update", { analysis }));
  const maps = { analysisId, sceneIds: [sceneId], mapTypes: ["ndvi"], geometry: COAST_AREA };
  answered(await demo.run("/analytics/analysis/add-map-types", maps));
  return analysisId;
}

async function placeOrder(demo: RawClient): Promise<string> {
  const dayMs = 86_400_000;
  const order = {
    dataset: "spotlight",
    name: hostileName("order", 200),
    geometry: { type: "Point", coordinates: [9.95, 53.54] },
    priority: "flexible",
    startTime: new Date(Date.now() + 2 * dayMs).toISOString(),
    endTime: new Date(Date.now() + 9 * dayMs).toISOString(),
  };
  const study = answered(await demo.run("/scene-tasking/feasibility", order));
  const { windowId } = study.windows[0];
  return answered(await demo.post("/scene-tasking/order/create", { ...order, windowId })).id;
}

function answered({ status, body }: Answer): Answer["body"] {
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
