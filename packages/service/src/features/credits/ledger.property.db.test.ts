import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { silentLog } from "@swath/base/log/log";
import { openPool } from "../../platform/postgres/pool.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { history, step } from "./ledger-histories-testing.ts";
import { Accounts, play, playHistory } from "./ledger-model-testing.ts";
import { databaseLedger, insertPrices, ledgerService } from "./ledger-database-testing.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const idle = new AbortController().signal;
const CLIENTS = 10;

test("random histories in the database sum to zero, overdraw nobody, charge nothing twice and are proved", async () => {
  await using database = await testDatabase();
  await insertPrices(database.db);
  const services = [ledgerService(database.db)];
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await playHistory(databaseLedger(database.db, services), steps, "history");
    }),
    { numRuns: 25, endOnFailure: true },
  );
  assert.deepEqual((await verifyLedger(database.db, idle)).differences, []);
});

test("the same holds when ten clients of two processes play a history at once", async () => {
  await using database = await testDatabase();
  await insertPrices(database.db);
  // Another pool and another service share nothing with the first but the database.
  await using other = openPool({ url: database.url, maxConnections: 8, statementTimeoutMs: 60_000, log: silentLog });
  const services = [ledgerService(database.db), ledgerService(other.db)];
  let refusals = 0;
  // Whatever the others draw, one history has next to no credit.
  const [alwaysPoor] = fc.sample(fc.array(step, { minLength: 60, maxLength: 60 }), { seed: 20, numRuns: 1 });
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt(1n, 900_000_000n),
      fc.array(step, { minLength: 30, maxLength: 60 }),
      async (micro, steps) => {
        const ledger = databaseLedger(database.db, services);
        const accounts = new Accounts();
        await play(ledger, accounts, { do: "grant", group: 0, micro }, "start", true);
        await play(ledger, accounts, { do: "grant", group: 1, micro: micro / 3n + 1n }, "start too", true);
        const waiting = [...steps.entries()];
        await Promise.all(
          Array.from({ length: CLIENTS }, async () => {
            for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
              const [index, one] = next;
              await play(ledger, accounts, one, `step ${index}`, false);
            }
          }),
        );
        await accounts.assertBalanced(ledger);
        accounts.assertPrices();
        refusals += accounts.refusals.filter((code) => code === "INSUFFICIENT-CREDIT").length;
      },
    ),
    { numRuns: 6, endOnFailure: true, examples: [[1n, alwaysPoor ?? []]] },
  );
  assert.ok(refusals > 0, "the credit must run out for the test to mean something");
  assert.deepEqual((await verifyLedger(database.db, idle)).differences, []);
});
