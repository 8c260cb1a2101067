import assert from "node:assert/strict";
import { sql } from "kysely";
import { test } from "node:test";
import { coastGeotiff } from "../../../../../e2e/make-geotiff.ts";
import { ALICE, contextOf, ingestionBench } from "./testing.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

test("an ingest that takes more work space than one pipeline may fails, and leaves nothing half-written", async () => {
  await using bench = await ingestionBench({ work: { folderBytes: 2 * KIB, totalBytes: 100 * MIB } });
  const filepath = await bench.upload(coastGeotiff(), "coast");
  const ingest = bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
  await assert.rejects(ingest, { code: "INSUFFICIENT-STORAGE", message: /more than the 2048 bytes of work space/ });
  await bench.ingestion.sweep();
  assert.deepEqual(await bench.leftovers(), []);
  const { rows } = await sql`select count(*)::int as count from scenes`.execute(bench.db);
  assert.deepEqual(rows, [{ count: 0 }]);
});
