import type { Config } from "./platform/config/config.ts";
import type { Db } from "./platform/context.ts";
import { silentLog } from "@swath/base/log/log";
import { FolderInUseError } from "./platform/postgres/embedded/folder-lock.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded/embedded-postgres.ts";
import { runningDatabaseUrl } from "./platform/postgres/embedded/running-database.ts";
import { openPool } from "./platform/postgres/pool.ts";

export interface ConfiguredDatabase extends AsyncDisposable {
  readonly db: Db;
}

/** The address of a database server, which ends with this if it was started for it. */
interface ConfiguredServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * The database server that a service of this configuration uses, whether or not one is running: the embedded server of
 * a running service is used as it is, otherwise it is started for this and stopped again.
 */
export async function openConfiguredServer({ database, dataFolder }: Config): Promise<ConfiguredServer> {
  if (database.url !== null) return { url: database.url, [Symbol.asyncDispose]: async () => {} };
  try {
    return await startEmbeddedPostgres({ dataFolder, log: silentLog });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { url: await runningDatabaseUrl(dataFolder), [Symbol.asyncDispose]: async () => {} };
  }
}

/** One connection to the database of `openConfiguredServer`. */
export async function openConfiguredDatabase(config: Config, applicationName: string): Promise<ConfiguredDatabase> {
  const stack = new AsyncDisposableStack();
  try {
    const { url } = stack.use(await openConfiguredServer(config));
    const { db } = stack.use(
      openPool({ url, maxConnections: 1, statementTimeoutMs: 0, log: silentLog, applicationName }),
    );
    return { db, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
