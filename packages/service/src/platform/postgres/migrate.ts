import { sql, type Kysely } from "kysely";
import { Migrator } from "kysely";
import { migrations } from "../../../migrations/registry.ts";
import type { Log } from "@swath/base/log/log";
import { isTimeout } from "./errors.ts";
import type { Database } from "./schema.ts";

const OLDEST_SERVER = 150_000;

/**
 * Applies the migrations that the database lacks, in one transaction, under the migrator's advisory lock:
 * of several processes that start together one migrates and the others wait.
 *
 * @param last migration to apply; the latest unless given
 * @throws when the server is older than PostgreSQL 15 or a migration fails; nothing is applied then
 */
export async function migrate(db: Kysely<Database>, log: Log, last: string | null = null): Promise<void> {
  const { rows } = await sql<{ version: number; name: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name
  `.execute(db);
  const server = rows[0];
  if (server !== undefined && server.version < OLDEST_SERVER) {
    throw new Error(`PostgreSQL 15 or later is needed, the server is ${server.name}`);
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  for (;;) {
    const { error, results = [] } = await (last === null ? migrator.migrateToLatest() : migrator.migrateTo(last));
    // Waiting behind another process's long migration may exceed the lock timeout: then wait again.
    if (error !== undefined && results.length === 0 && isTimeout(error)) continue;
    if (error !== undefined) {
      const failed = results.find((result) => result.status === "Error");
      throw new Error(`the database migration ${failed?.migrationName ?? ""} failed`, { cause: error });
    }
    for (const result of results) log.info({ migration: result.migrationName }, "migrated");
    return;
  }
}
