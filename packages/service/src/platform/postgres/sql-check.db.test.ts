import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "pg";
import { testDatabase } from "./testing.ts";
import type { SqlCheck } from "../../../../../extras/check/sql-check/check-statements.ts";
import { installExtra } from "../../../../../scripts/extras.ts";

/** Checks the statements of a file, or of the service. */
async function check(path: string | null): Promise<SqlCheck> {
  // The compiler, which reads the sources, is no part of `npm ci`.
  installExtra("check");
  const { checkStatements } = await import("../../../../../extras/check/sql-check/check-statements.ts");
  const { isServiceFile, openSourceProgram } = await import("../../../../../extras/check/sql-check/source-program.ts");
  await using database = await testDatabase();
  using program = openSourceProgram(path === null ? isServiceFile : (one) => one === path);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return await checkStatements(program, client);
  } finally {
    await client.end();
  }
}

test("every statement of the service fits the schema, and its columns are the declared row", async () => {
  const { statements, faults } = await check(null);
  assert.ok(statements > 200, `only ${statements} statements were found`);
  if (faults.length > 0) assert.fail(faults.join("\n"));
});

test("a wrong column, name, type, null or branch is found, and a piece of SQL that is in no statement", async () => {
  const path = join(import.meta.dirname, "faulty-statements.fixture.ts");
  const { statements, faults } = await check(path);
  assert.equal(statements, 7);
  const lines = readFileSync(path, "utf8").split("\n");
  const found = faults.map((fault) => {
    const [, line, message] = /:(\d+): (.*)/u.exec(fault) ?? [];
    const functions = lines.slice(0, Number(line)).flatMap((text) => /function (\w+)/u.exec(text)?.[1] ?? []);
    return [functions.at(-1), message];
  });
  assert.deepEqual(found, [
    ["unknownColumn", 'column "identifier" does not exist'],
    ["wrongType", "the column count is int8, declared as string"],
    ["wrongNames", "no column is the declared groupId"],
    ["wrongNames", "the column id is not declared"],
    ["missingNull", "the column license_expires_at can be null, declared as Date"],
    ["rareBranch", 'column "title" does not exist'],
    ["unknownColumn", "no prepared statement contains this SQL"],
    ["rareBranch", "no prepared statement contains this SQL"],
    ["unused", "no prepared statement contains this SQL"],
  ]);
});
