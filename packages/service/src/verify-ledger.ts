import { verifyLedger, type LedgerReport } from "./features/credits/verify/verify-ledger.ts";
import { readConfig, type Settings } from "./platform/config/config.ts";
import { createLog } from "./platform/log/log.ts";
import { FolderInUseError } from "./platform/postgres/embedded/folder-lock.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded/embedded-postgres.ts";
import { runningDatabaseUrl } from "./platform/postgres/embedded/running-database.ts";
import { openPool } from "./platform/postgres/pool.ts";

export type { LedgerReport } from "./features/credits/verify/verify-ledger.ts";

/**
 * Proves the ledger of the database that a service with these settings uses, whether or not one is running: the
 * embedded server of a running service is used as it is, otherwise it is started for this and stopped again.
 * Nothing is written.
 *
 * @throws {ConfigError} naming every fault of the configuration
 */
export async function verifyConfiguredLedger(signal: AbortSignal, settings: Settings = {}): Promise<LedgerReport> {
  const config = readConfig(settings);
  const log = createLog("silent");
  await using stack = new AsyncDisposableStack();
  let { url } = config.database;
  if (url === null) {
    try {
      url = stack.use(await startEmbeddedPostgres({ dataFolder: config.dataFolder, log })).url;
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      url = await runningDatabaseUrl(config.dataFolder);
    }
  }
  const pool = stack.use(
    openPool({ url, maxConnections: 1, statementTimeoutMs: 0, log, applicationName: "swath ledger verify" }),
  );
  return await verifyLedger(pool.db, signal);
}
