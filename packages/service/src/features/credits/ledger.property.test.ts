import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { history } from "./ledger-histories-testing.ts";
import { MemoryLedger, playHistory } from "./ledger-model-testing.ts";

test("random histories in memory sum to zero, overdraw nobody and charge nothing twice", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await playHistory(new MemoryLedger(), steps, "history");
    }),
    { numRuns: 500, endOnFailure: true },
  );
});

test("histories meet every refusal", async () => {
  const refusals = new Set<string>();
  for (const steps of fc.sample(history, { seed: 1, numRuns: 500 })) {
    const accounts = await playHistory(new MemoryLedger(), steps, "history");
    for (const code of accounts.refusals) refusals.add(code);
  }
  assert.deepEqual([...refusals].toSorted(), ["INSUFFICIENT-CREDIT", "LICENSE-EXPIRED", "USER-CREDIT-LIMIT"]);
});
