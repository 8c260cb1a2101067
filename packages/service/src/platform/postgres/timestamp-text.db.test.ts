import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { parseInstant } from "@swath/kernel/time/instant";
import { testDatabase } from "./testing.ts";
import { timestampText } from "./timestamp-text.ts";

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

test("PostgreSQL reads the first and the last moment of an instant, and those around year 1", async () => {
  for (const text of [
    "0000-01-01",
    "0000-02-29 12:30:00",
    "0001-01-01T00:00:00+23:59",
    "0001-01-01",
    "9999-12-31T23:59:59.999Z",
  ]) {
    const epochMs = parseInstant(text) ?? Number.NaN;
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from ${timestampText(new Date(epochMs))}::timestamptz) * 1000)::bigint as ms
    `.execute(database.db);
    assert.deepEqual(rows, [{ ms: epochMs }], text);
  }
});
