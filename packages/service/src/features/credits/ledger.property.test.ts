import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { history } from "./ledger-histories-testing.ts";
import { MemoryLedger, playHistory } from "./ledger-model-testing.ts";

test("random histories in memory sum to zero, overdraw nobody and charge nothing twice", async () => {
  const refusals = new Set<string>();
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const accounts = await playHistory(new MemoryLedger(), steps, "history");
      for (const code of accounts.refusals) refusals.add(code);
    }),
    { numRuns: 500 },
  );
  assert.deepEqual([...refusals].toSorted(), ["INSUFFICIENT-CREDIT", "LICENSE-EXPIRED", "USER-CREDIT-LIMIT"]);
});
