import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { createCatalog } from "../../../providers/catalog.ts";
import { providers } from "../../../providers/registry.ts";
import type { AgreedContract } from "./agreed-contract.ts";
import { builtInContract } from "./built-in-contract.ts";
import { agreedOptions, contractedPlan } from "./contracted-plan.ts";
import { RADAR_CONTRACT } from "./testing.ts";

const catalog = createCatalog(providers);
const use = { purpose: "order", path: "/params/0", nowMs: Date.UTC(2026, 2, 1) } as const;
const interval = { fromMs: Date.UTC(2026, 2, 3), toMs: Date.UTC(2026, 2, 10) };
const spotlight: OrderParameters = {
  dataset: "spotlight",
  name: "harbour",
  geometry: { type: "Point", coordinates: [14.42, 50.09] },
};

const { cancellation = [], pricePlan = [], ...members } = RADAR_CONTRACT;
const radar: AgreedContract = {
  id: "radar-2026",
  name: "Radar 2026",
  provider: "radar-multi",
  groupId: null,
  isDefault: true,
  isBuiltIn: false,
  startMs: Date.UTC(2026, 0, 1),
  endMs: Date.UTC(2027, 0, 1),
  terms: { ...members, cancellation, pricePlan },
};

async function planned(contract: AgreedContract, parameters: OrderParameters) {
  const contracts = { contractFor: async () => contract };
  return await contractedPlan({ catalog, contracts }, { groupId: "group-1" }, parameters, use);
}

test("a request without a priority has the default of its contract, one with a priority its own", async () => {
  assert.equal((await planned(radar, spotlight)).plan.priority, "standard");
  assert.equal((await planned(radar, { ...spotlight, priority: "urgent" })).plan.priority, "urgent");
});

test("without a default that the dataset offers, the most patient priority of the dataset holds", async () => {
  const odd = { ...radar, terms: { ...radar.terms, priority: { allowed: ["assured"], default: "assured" } } };
  assert.equal((await planned(odd, spotlight)).plan.priority, "flexible");
  const provider = catalog.findProvider("optical-agile");
  const builtIn = provider === null ? null : builtInContract(provider);
  assert.ok(builtIn !== null);
  const agreed = agreedOptions(await planned(builtIn, { ...spotlight, dataset: "newsat" }), interval);
  assert.deepEqual([agreed.priority, agreed.cancelFeeShare, agreed.cancelCutoffHours], ["assured", 0.25, 24]);
});

test("options are checked under the contract, with the place of the order in its request", async () => {
  const orderOptions = { eula: "standard", sla: "8h" };
  assert.equal(agreedOptions(await planned(radar, { ...spotlight, orderOptions }), interval).sla, "8h");
  const late = { ...interval, toMs: radar.endMs + 1 };
  const plan = await planned(radar, { ...spotlight, priority: "priority", orderOptions });
  assert.throws(() => agreedOptions(plan, late), {
    code: "VALIDATION-ERROR",
    details: [
      {
        path: "/params/0/endTime",
        message: "is after contract radar-2026 ends, expected 2027-01-01T00:00:00.000Z or earlier",
      },
      {
        path: "/params/0/priority",
        message: "is priority, expected one of standard, urgent under contract radar-2026",
      },
    ],
  });
});
