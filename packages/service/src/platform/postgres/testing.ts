import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { Client } from "pg";
import { testServerUrl } from "../config/test-server.ts";
import { silentLog } from "@swath/base/log/log";
import { migrate } from "./migrate.ts";
import { openPool, type DatabasePool } from "./pool.ts";
import type { Database } from "./schema.ts";
import { joinTestServer, type TestServer } from "./testing-server.ts";

/** A migrated database of one test file; it is dropped when disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly db: Kysely<Database>;
  readonly pool: DatabasePool;
  /** Connection string, for tests that start processes of their own. */
  readonly url: string;
}

/**
 * A new, migrated, empty database, cloned from a template in about 0.1 s, on a PostgreSQL server that all test
 * files share: the embedded one, started on demand, or the one of DATABASE_URL_TEST (which must let its user
 * create databases).
 *
 * @example await using database = await testDatabase();
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await testServer();
  const template = await templateDatabase(server.url);
  const name = `swath_test_${randomBytes(8).toString("hex")}`;
  await withClient(server.url, (client) => client.query(`create database ${name} template ${template}`));
  const url = databaseUrl(server.url, name);
  const pool = openPool({ url, maxConnections: 8, statementTimeoutMs: 60_000, log: silentLog });
  return {
    db: pool.db,
    pool,
    url,
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
      await withClient(server.url, (client) => client.query(`drop database if exists ${name} with (force)`));
      await server.leave();
    },
  };
}

async function testServer(): Promise<TestServer> {
  const url = testServerUrl();
  return url === null ? await joinTestServer() : { url, leave: async () => {} };
}

/** Serialises the making of templates between test processes. */
const TEMPLATE_LOCK = 7_237_002;

async function templateDatabase(serverUrl: string): Promise<string> {
  const name = `swath_template_${migrationsHash()}`;
  await withClient(serverUrl, async (client) => {
    const exists = async (): Promise<boolean> =>
      (await client.query("select 1 from pg_database where datname = $1", [name])).rowCount !== 0;
    if (await exists()) return;
    await client.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    if (await exists()) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    const pool = openPool({
      url: databaseUrl(serverUrl, draft),
      maxConnections: 2,
      statementTimeoutMs: 60_000,
      log: silentLog,
    });
    try {
      await migrate(pool.db, silentLog);
    } finally {
      await pool[Symbol.asyncDispose]();
    }
    // Renamed when complete: a killed test run never leaves a half migrated template.
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

function migrationsHash(): string {
  const folder = join(import.meta.dirname, "..", "..", "..", "migrations");
  const hash = createHash("sha256");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (file.endsWith(".ts") || file.endsWith(".sql")) hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
