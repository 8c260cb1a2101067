import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { history, type Step } from "./ledger-histories-testing.ts";
import { MemoryLedger, playHistory } from "./ledger-model-testing.ts";
import { databaseLedger, insertPrices, ledgerService } from "./ledger-database-testing.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const IN_MEMORY = 98_000;
const IN_DATABASE = 2000;
const CLIENTS = 8;
const SEED = 20_260_301;

test(`${IN_MEMORY} random histories in memory sum to zero, overdraw nobody and charge nothing twice`, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await playHistory(new MemoryLedger(), steps, "history");
    }),
    { numRuns: IN_MEMORY, seed: SEED },
  );
});

test(`${IN_DATABASE} random histories in a database, eight at a time, do so too, and all of it is proved`, async () => {
  await using database = await testDatabase();
  await insertPrices(database.db);
  const services = [ledgerService(database.db)];
  const waiting: (readonly Step[])[] = fc.sample(history, { numRuns: IN_DATABASE, seed: SEED + 1 });
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let steps = waiting.pop(); steps !== undefined; steps = waiting.pop()) {
        await playHistory(databaseLedger(database.db, services), steps, "history");
      }
    }),
  );
  const { counts, differences } = await verifyLedger(database.db, new AbortController().signal);
  assert.deepEqual(differences, []);
  assert.ok((counts["transactions"] ?? 0) > IN_DATABASE);
});
