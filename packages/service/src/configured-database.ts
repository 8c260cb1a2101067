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

/**
 * One connection to the database that a service of this configuration uses, whether or not one is running: the
 * embedded server of a running service is used as it is, otherwise it is started for this and stopped again.
 */
export async function openConfiguredDatabase(config: Config, applicationName: string): Promise<ConfiguredDatabase> {
  const stack = new AsyncDisposableStack();
  try {
    let { url } = config.database;
    if (url === null) {
      try {
        url = stack.use(await startEmbeddedPostgres({ dataFolder: config.dataFolder, log: silentLog })).url;
      } catch (error) {
        if (!(error instanceof FolderInUseError)) throw error;
        url = await runningDatabaseUrl(config.dataFolder);
      }
    }
    const { db } = stack.use(
      openPool({ url, maxConnections: 1, statementTimeoutMs: 0, log: silentLog, applicationName }),
    );
    return { db, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
