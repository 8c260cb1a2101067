import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { testDatabase } from "./testing.ts";
import { resultType, type ResultKind } from "../../../../../extras/check/sql-check/result-kind.ts";

function kindOf(value: unknown): ResultKind | undefined {
  if (value instanceof Date) return "date";
  if (value instanceof Uint8Array) return "bytes";
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") {
    return typeof value === "boolean" ? "boolean" : typeof value === "number" ? "number" : "string";
  }
  return typeof value === "object" ? "json" : undefined;
}

test("columns arrive from the pool as the kind of their type", async () => {
  await using database = await testDatabase();
  const literals: Readonly<Record<string, string>> = {
    bool: "true",
    int2: "1",
    int4: "1",
    int8: "1",
    float4: "1.5",
    float8: "1.5",
    text: "a",
    varchar: "a",
    name: "a",
    numeric: "1.5",
    date: "2026-03-01",
    uuid: "00000000-0000-0000-0000-000000000000",
    box: "(1,1),(0,0)",
    timestamptz: "2026-03-01 12:00:00+00",
    bytea: "\\x00",
    json: "{}",
    jsonb: "{}",
    _bool: "{true}",
    _int4: "{1}",
    _int8: "{1}",
    _float8: "{1.5}",
    _text: "{a}",
    _timestamptz: '{"2026-03-01 12:00:00+00"}',
    _jsonb: '{"{}"}',
  };
  for (const [name, literal] of Object.entries(literals)) {
    const { rows } = await sql<{ value: unknown }>`select ${literal}::text::${sql.id(name)} as value`.execute(
      database.db,
    );
    const value = rows[0]?.value;
    const type = resultType(name);
    const [element] = Array.isArray(value) ? value : [value];
    assert.deepEqual([name, type], [name, { kind: kindOf(element), isArray: Array.isArray(value) }]);
  }
});
