import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

const CONTRACT = {
  id: "acceptance",
  name: "Acceptance",
  provider: "radar-gec",
  isDefault: true,
  start: "2026-01-01 00:00:00",
  end: "2100-01-01 00:00:00",
  deliveryLocations: [{ method: "ingest", path: "/", id: "store" }],
  imagingModes: { allowed: ["spotlight_GEC"] },
  imagingModeCapabilities: [{ mode: "spotlight_GEC", productTypes: { allowed: ["GEC"], slaApplicable: ["GEC"] } }],
  priority: { allowed: ["standard", "urgent"], default: "standard" },
  exclusivity: { allowed: ["public"], default: "public" },
  catalogCollections: { allowed: ["ships"], default: "ships" },
  eula: { allowed: ["standard"], default: "standard" },
  sla: { allowed: ["24h"], default: null },
  cancellation: [{ priority: null, feeShare: 0.25, cutoffHours: 12 }],
  pricePlan: [{ mode: "spotlight_GEC", creditsPerKm2: 3 }],
};

/** A contract is set, listed in place of the built-in one, and deleted; users without the right change none. */
export async function contractsJourney({ admin, demo }: Readonly<Record<"admin" | "demo", RawClient>>): Promise<void> {
  const path = "/scene-tasking/contracts";
  const builtIn = await demo.post(`${path}/list`, { provider: "radar-gec" });
  assert.deepEqual(
    builtIn.body.map(({ id, isBuiltIn }: { id: string; isBuiltIn: boolean }) => [id, isBuiltIn]),
    [["built-in-radar-gec", true]],
  );
  const set = await admin.post(`${path}/set`, CONTRACT);
  assert.equal(set.status, 200, JSON.stringify(set.body));
  assert.deepEqual([set.body.start, set.body.hasPricingPlan], ["2026-01-01T00:00:00Z", true]);
  assert.deepEqual((await demo.post(`${path}/list`, { provider: "radar-gec" })).body, [set.body]);
  assert.equal((await demo.post(`${path}/set`, CONTRACT)).status, 401);
  assert.equal((await demo.post(`${path}/list`, { allGroups: true })).status, 401);
  const misspelt = await admin.post(`${path}/set`, { ...CONTRACT, cancelation: [] });
  assert.deepEqual([misspelt.status, misspelt.body.details[0].didYouMean], [422, "cancellation"]);
  const foreign = await admin.post(`${path}/set`, { ...CONTRACT, sla: { allowed: ["24h"], default: "8h" } });
  assert.deepEqual([foreign.status, foreign.body.details[0].path], [422, "/sla/default"]);
  assert.deepEqual((await admin.post(`${path}/delete`, { id: CONTRACT.id })).body, {});
  assert.equal((await admin.post(`${path}/delete`, { id: CONTRACT.id })).status, 404);
  assert.deepEqual((await demo.post(`${path}/list`, { provider: "radar-gec" })).body, builtIn.body);
}
