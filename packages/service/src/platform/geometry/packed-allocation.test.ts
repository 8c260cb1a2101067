import assert from "node:assert/strict";
import { test } from "node:test";
import { planAllocation } from "@swath/kernel/credits/allocation";
import { NO_COVERAGE } from "@swath/kernel/credits/coverage";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { packAllocation, packPlan, unpackAllocation, unpackPlan } from "./packed-allocation.ts";

function request(west: number) {
  const addition = {
    type: "MultiPolygon",
    coordinates: [boundsPolygon([west, 50, west + 0.1, 50.1]).coordinates],
  } as const;
  const price = { microPerKm2: 3_700_000n, minAreaM2: 0 };
  return { before: NO_COVERAGE, addition, freeAreas: [], price, costFree: false };
}

test("a plan comes back from a thread as it was made, coverage included", () => {
  const first = planAllocation(request(14));
  const grown = { ...request(14.05), before: first.after };
  assert.deepEqual(unpackAllocation(structuredClone(packAllocation(grown))), grown);
  const plan = planAllocation(grown);
  const { addedM2, after, chargedM2, cost } = unpackPlan(structuredClone(packPlan(plan)));
  assert.deepEqual({ addedM2, after, chargedM2, cost }, plan);
});
