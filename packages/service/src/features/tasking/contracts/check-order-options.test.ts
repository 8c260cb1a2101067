import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { imagingModeOf } from "../../../providers/imaging-mode.ts";
import { providers } from "../../../providers/registry.ts";
import { builtInContract } from "./built-in-contract.ts";
import { checkOrderOptions, type AskedOptions } from "./check-order-options.ts";
import type { AgreedContract } from "./agreed-contract.ts";
import { termFaults } from "./term-faults.ts";
import { RADAR_CONTRACT } from "./testing.ts";

const { cancellation = [], pricePlan = [], ...members } = RADAR_CONTRACT;
const contract: AgreedContract = {
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
const plain: AskedOptions = {
  mode: "spotlight",
  priority: null,
  orderOptions: { eula: "standard" },
  startMs: Date.UTC(2026, 5, 1),
  endMs: Date.UTC(2026, 5, 8),
};

function faults(asked: Partial<AskedOptions>): Record<string, string> {
  try {
    checkOrderOptions(contract, { ...plain, ...asked });
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === "VALIDATION-ERROR");
    return Object.fromEntries((error.details ?? []).map(({ path, message }) => [path, message]));
  }
  return {};
}

test("an order that names nothing but its licence has the defaults of the contract", () => {
  assert.deepEqual(checkOrderOptions(contract, plain), {
    contractId: "radar-2026",
    priority: "standard",
    productTypes: ["GRD"],
    exclusivity: "public",
    catalogCollection: null,
    deliveryLocation: { method: "ingest", path: "/", id: "store" },
    eula: "standard",
    sla: "24h",
    cancelFeeShare: 0.1,
    cancelCutoffHours: 12,
    creditsPerKm2: 4,
  });
});

test("every allowed value is taken, the fee follows the priority and the price the mode", () => {
  const orderOptions = {
    ingestProducts: ["GRD"],
    exclusivity: "private-30d",
    catalogCollection: "ships",
    deliveryLocationId: "bucket",
    eula: "government",
    sla: "8h",
  };
  const agreed = checkOrderOptions(contract, { ...plain, priority: "urgent", orderOptions });
  const { deliveryLocation, cancelFeeShare, cancelCutoffHours, ...others } = agreed;
  assert.equal(deliveryLocation?.path, "s3://captures/");
  assert.deepEqual([cancelFeeShare, cancelCutoffHours], [0.5, 36]);
  const { deliveryLocationId: _id, ingestProducts: productTypes, ...named } = orderOptions;
  assert.deepEqual(others, { ...named, productTypes, contractId: "radar-2026", priority: "urgent", creditsPerKm2: 4 });
  assert.equal(checkOrderOptions(contract, { ...plain, mode: "stripmap" }).creditsPerKm2, null);
});

test("each value outside its list is refused with the allowed ones, all at once", () => {
  const orderOptions = {
    ingestProducts: ["GRD", "CSI"],
    derivativeProductTypes: ["VC"],
    exclusivity: "secret",
    catalogCollection: "cats",
    deliveryLocationId: "attic",
    eula: "none",
    sla: "1h",
  };
  assert.deepEqual(faults({ priority: "assured", orderOptions, path: "/params/2" }), {
    "/params/2/priority": "is assured, expected one of standard, urgent under contract radar-2026",
    "/params/2/orderOptions/ingestProducts": "has CSI, expected one of GRD, SLC under contract radar-2026",
    "/params/2/orderOptions/derivativeProductTypes": "has VC, expected one of GRD, SLC under contract radar-2026",
    "/params/2/orderOptions/exclusivity": "is secret, expected one of public, private-30d under contract radar-2026",
    "/params/2/orderOptions/catalogCollection": "is cats, expected one of floods, ships under contract radar-2026",
    "/params/2/orderOptions/deliveryLocationId": "is attic, expected one of store, bucket under contract radar-2026",
    "/params/2/orderOptions/eula": "is none, expected one of standard, government under contract radar-2026",
    "/params/2/orderOptions/sla": "is 1h, expected one of 24h, 8h under contract radar-2026",
  });
  assert.match(faults({ mode: "sliding_spotlight" })["/dataset"] ?? "", /expected one of spotlight, stripmap/);
});

test("a promised time of delivery holds only for products that have one", () => {
  const slc = { eula: "standard", derivativeProductTypes: ["SLC"] };
  assert.match(
    faults({ orderOptions: { ...slc, sla: "8h" } })["/orderOptions/sla"] ?? "",
    /is 8h for the product SLC, expected only products with it: GRD/,
  );
  assert.equal(checkOrderOptions(contract, { ...plain, orderOptions: slc }).sla, null);
  assert.match(
    faults({ mode: "stripmap", orderOptions: { eula: "standard", sla: "8h" } })["/orderOptions/sla"] ?? "",
    /: none$/,
  );
});

test("a contract with licences needs one to be accepted by name", () => {
  assert.deepEqual(faults({ orderOptions: {} }), {
    "/orderOptions/eula":
      "is missing: an order accepts a licence by its name, expected one of standard, government under contract radar-2026",
  });
  const free = { ...contract, terms: { ...contract.terms, eula: { allowed: [], default: null } } };
  assert.equal(checkOrderOptions(free, { ...plain, orderOptions: {} }).eula, null);
  assert.throws(() => checkOrderOptions(free, plain), /eula is standard, expected the member left out/);
});

test("an order begins and ends within its contract", () => {
  assert.deepEqual(checkOrderOptions(contract, { ...plain, endMs: contract.endMs }).contractId, "radar-2026");
  assert.deepEqual(faults({ endMs: contract.endMs + 1 }), {
    "/endTime": "is after contract radar-2026 ends, expected 2027-01-01T00:00:00.000Z or earlier",
  });
  assert.deepEqual(faults({ startMs: contract.startMs - 1 }), {
    "/startTime": "is before contract radar-2026 begins, expected 2026-01-01T00:00:00.000Z or later",
  });
});

test("terms that contradict themselves are found", () => {
  assert.deepEqual(termFaults(contract.terms), []);
  const paths = (terms: Partial<AgreedContract["terms"]>) =>
    termFaults({ ...contract.terms, ...terms }).map(({ path, message }) => `${path} ${message}`);
  assert.deepEqual(paths({ priority: { allowed: ["standard", "urgent"], default: "flexible" } }), [
    "/priority/default is flexible, expected one of standard, urgent or null",
  ]);
  assert.deepEqual(paths({ sla: { allowed: [], default: "8h" } }), ["/sla/default is 8h, expected null"]);
  assert.deepEqual(paths({ imagingModeCapabilities: contract.terms.imagingModeCapabilities.slice(0, 1) }), [
    "/imagingModeCapabilities has no entry for stripmap",
  ]);
  assert.deepEqual(paths({ pricePlan: [{ mode: "scan", creditsPerKm2: 1 }] }), [
    "/pricePlan has an entry for scan, expected only spotlight, stripmap",
  ]);
  const free = { priority: null, feeShare: 0, cutoffHours: 0 };
  assert.deepEqual(paths({ cancellation: [free, free] }), ["/cancellation has an entry for null twice"]);
  const spotlight = { mode: "spotlight", productTypes: { allowed: ["GRD"], slaApplicable: ["SLC"] } };
  assert.deepEqual(
    paths({ imagingModes: { allowed: ["spotlight"] }, imagingModeCapabilities: [spotlight, spotlight] }),
    [
      "/imagingModeCapabilities has the mode spotlight twice",
      "/imagingModeCapabilities/0/productTypes/slaApplicable has SLC, expected only GRD",
      "/imagingModeCapabilities/1/productTypes/slaApplicable has SLC, expected only GRD",
    ],
  );
});

for (const provider of providers) {
  const builtIn = builtInContract(provider);
  if (builtIn === null) continue;
  test(`the built-in contract with ${provider.id} takes orders of all its datasets that can be tasked`, () => {
    assert.deepEqual(termFaults(builtIn.terms), []);
    for (const dataset of provider.datasets) {
      for (const { priorities } of Object.values(dataset.taskingInfo ?? {})) {
        for (const priority of Object.keys(priorities)) {
          const agreed = checkOrderOptions(builtIn, {
            ...plain,
            mode: imagingModeOf(dataset),
            priority,
            orderOptions: {},
          });
          assert.deepEqual([agreed.priority, agreed.productTypes], [priority, [dataset.type]]);
        }
      }
    }
  });
}

test("providers with tasking have a built-in contract, others none", () => {
  const bound = providers.filter((provider) => builtInContract(provider) !== null).map(({ id }) => id);
  assert.deepEqual(bound, ["ab", "optical-agile", "pl", "radar-gec", "radar-multi"]);
});
