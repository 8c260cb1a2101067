import { certificateError } from "@swath/base/certificate-error";
import type { Log } from "@swath/base/log/log";
import type { Config } from "./platform/config/config.ts";
import type { Db } from "./platform/context.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded/embedded-postgres.ts";
import { migrate } from "./platform/postgres/migrate.ts";
import { openPool, type DatabasePool } from "./platform/postgres/pool.ts";
import { waitForServer } from "./platform/postgres/wait-for-server.ts";

export interface OpenedDatabase extends Pick<DatabasePool, "counts" | "onAnnounced"> {
  readonly db: Db;
  readonly url: string;
  readonly isEmbedded: boolean;
}

const STATEMENT_TIMEOUT_MS = 60_000;

/** Connects to the configured database, or starts the embedded one, and brings its schema up to date. */
export async function openDatabase(config: Config, log: Log, stack: AsyncDisposableStack): Promise<OpenedDatabase> {
  const { connections: maxConnections, keepPlans } = config.database;
  const isEmbedded = config.database.url === null;
  const url = config.database.url ?? stack.use(await startEmbeddedPostgres({ dataFolder: config.dataFolder, log })).url;
  const pool = stack.use(openPool({ url, maxConnections, statementTimeoutMs: STATEMENT_TIMEOUT_MS, keepPlans, log }));
  await prepare(url, log);
  return { db: pool.db, counts: pool.counts, onAnnounced: pool.onAnnounced, url, isEmbedded };
}

/** Separate connections without a time limit: building an index takes long. */
async function prepare(url: string, log: Log): Promise<void> {
  await using pool = openPool({ url, maxConnections: 2, statementTimeoutMs: 0, keepPlans: false, log });
  try {
    await waitForServer(pool.db, log);
  } catch (error) {
    throw certificateError(error, new URL(url).host) ?? error;
  }
  await migrate(pool.db, log);
}
