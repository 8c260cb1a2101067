import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const DAY_MS = 86_400_000;
const HARBOUR = { type: "Point", coordinates: [153.15, -27.41] } as const;
/** A part of the square that is ordered around the point. */
const QUAY = {
  type: "Polygon",
  coordinates: [
    [
      [153.145, -27.415],
      [153.155, -27.415],
      [153.155, -27.405],
      [153.145, -27.405],
      [153.145, -27.415],
    ],
  ],
} as const;
const PASSWORD = "a password of eight or more";
/** A minute on a machine that is many times slower. */
const PATIENCE_MS = 240_000;
const DATASETS = [{ provider: "radar-multi", dataset: "spotlight" }];

/** A user of another group with the same permissions. */
async function stranger(admin: RawClient, baseUrl: string): Promise<RawClient> {
  const { body: organization } = await admin.post("/organization/create", { name: "Elsewhere" });
  const group = await admin.post("/group/create", {
    organizationId: organization.id,
    name: "Strangers",
    permissions: ["imagery", "mapsvc", "algorithms", "credits"],
    licenseEnd: "2099-01-01T00:00:00Z",
  });
  const user = { email: "stranger@swath.example", password: PASSWORD, name: "Stranger", isManager: false };
  const accounts = { accounting: group.body.id, taskingAccounting: group.body.id };
  const created = await admin.post("/user/organization/create-user", { ...user, groupId: group.body.id, ...accounts });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return await new RawClient(baseUrl).login(user);
}

test("an order becomes a scene within a minute, which its group finds and releases and another group does not", async () => {
  await using service = await ServiceProcess.start({ SWATH_TASKING_SPEED: "86400" });
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const nowMs = Date.now();
  const order = {
    dataset: "spotlight",
    name: "harbour",
    geometry: HARBOUR,
    priority: "flexible",
    startTime: new Date(nowMs + 2 * DAY_MS).toISOString(),
    endTime: new Date(nowMs + 9 * DAY_MS).toISOString(),
  };
  const study = await demo.run("/scene-tasking/feasibility", order);
  assert.equal(study.status, 200, JSON.stringify(study.body));
  const created = await demo.post("/scene-tasking/order/create", {
    ...order,
    windowId: study.body.windows[0].windowId,
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const named = { dataset: "spotlight", orderId: created.body.id };

  let state = created.body;
  while (!["FULFILLED", "FAILED", "EXPIRED", "REJECTED"].includes(state.status)) {
    assert.ok(Date.now() - nowMs < PATIENCE_MS, `the order is ${state.status}\n${service.output}`);
    await sleep(200);
    state = (await demo.post("/scene-tasking/order/get", named)).body;
  }
  assert.deepEqual(
    state.history.map(({ status }: { status: string }) => status),
    ["RECEIVED", "PENDING", "IN_PROGRESS", "FULFILLED"],
  );
  const captures = await demo.post("/scene-tasking/captures/list", named);
  const [capture] = captures.body.results;
  assert.deepEqual([capture.status, capture.foreignSceneTypes], ["PUBLISHED", ["spotlight"]]);
  const [{ id: sceneId, ingestionId, ingestionTime }] = capture.ingestedScenes;
  assert.ok(typeof ingestionId === "string" && Date.parse(ingestionTime) > nowMs);

  const search = {
    datasets: DATASETS,
    extent: QUAY,
    startDatetime: new Date(nowMs).toISOString().slice(0, 19).replace("T", " "),
    endDatetime: new Date(nowMs + 10 * DAY_MS).toISOString().slice(0, 19).replace("T", " "),
  };
  const found = async (client: RawClient): Promise<boolean> => {
    const { status, body } = await client.run("/imagery/search", search);
    assert.equal(status, 200, JSON.stringify(body));
    return body.results.some((scene: { sceneId: string }) => scene.sceneId === sceneId);
  };
  assert.equal(await found(demo), true);
  const release = { mapTypes: ["imagery"], sceneIds: [sceneId], extent: QUAY };
  const released = await demo.run("/mapsvc/release", release);
  assert.equal(released.status, 200, JSON.stringify(released.body));
  assert.match(JSON.stringify(released.body), /"status":"succeeded"/u);

  const other = await stranger(admin, service.baseUrl);
  assert.equal(await found(other), false);
  const refused = await other.run("/mapsvc/release", release);
  assert.notEqual(refused.status, 200);
  assert.equal((await other.post("/scene-tasking/order/get", named)).status, 404);
});
