import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_COVERAGE } from "@swath/kernel/credits/coverage";
import { totalOf, type Quote } from "./quote.ts";
import { boxArea, testScene } from "./testing.ts";
import { withinHold } from "./within-hold.ts";

/** A quote at 2 credits a square kilometre: 2 micro-credits a square metre. */
function quote(addedM2: number, cost: bigint): Quote {
  const { scene } = testScene("one");
  return {
    quoted: {
      scene,
      sceneKey: scene.sceneId,
      mapType: null,
      area: boxArea([14, 50, 14.1, 50.1]),
      tiles: null,
      price: { microPerKm2: 2_000_000n, minAreaM2: 0 },
      freeAreas: [],
    },
    version: 0n,
    before: NO_COVERAGE,
    plan: { after: NO_COVERAGE, addedM2, chargedM2: addedM2, cost },
  };
}

test("a charge within the hold is taken as it is", () => {
  const quotes = [quote(10, 20n), quote(5, 10n)];
  assert.equal(withinHold(quotes, 30n), quotes);
  assert.equal(withinHold(quotes, 31n), quotes);
});

test("a square metre of rounding for each entry is not charged, and the sum is the hold", () => {
  const fitting = withinHold([quote(10, 20n), quote(5, 10n)], 26n);
  assert.deepEqual(
    fitting?.map(({ plan }) => [plan.cost, plan.addedM2]),
    [
      [17n, 10],
      [9n, 5],
    ],
  );
  assert.equal(totalOf(fitting ?? []).cost, 26n);
  assert.deepEqual(
    withinHold([quote(1, 2n)], 0n)?.map(({ plan }) => plan.cost),
    [0n],
  );
});

test("more than rounding explains is no charge of the hold", () => {
  assert.equal(withinHold([quote(10, 20n), quote(0, 0n)], 16n), null);
});
