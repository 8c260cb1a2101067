import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import type { Db } from "../../src/platform/context.ts";
import { testDatabase } from "../../src/platform/postgres/testing.ts";

/** Definitions of the functions of the schema by name, without functions of extensions. */
async function installedFunctions(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select p.proname as name, pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`.execute(db);
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

test("a migrated database has the functions of the files and no others", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".sql"));
  const installed = await installedFunctions(db);
  assert.deepEqual([...installed.keys()], files.map((file) => file.slice(0, -".sql".length)).toSorted());
  for (const file of files) await sql.raw(readFileSync(join(import.meta.dirname, file), "utf8")).execute(db);
  assert.deepEqual(await installedFunctions(db), installed);
});
