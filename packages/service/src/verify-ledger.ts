import { openConfiguredDatabase } from "./configured-database.ts";
import { verifyLedger, type LedgerReport } from "./features/credits/verify/verify-ledger.ts";
import { readConfig, type Settings } from "./platform/config/config.ts";

export type { LedgerReport } from "./features/credits/verify/verify-ledger.ts";

/**
 * Proves the ledger of the database that a service with these settings uses, whether or not one is running.
 * Nothing is written.
 *
 * @throws {ConfigError} naming every fault of the configuration
 */
export async function verifyConfiguredLedger(signal: AbortSignal, settings: Settings = {}): Promise<LedgerReport> {
  await using database = await openConfiguredDatabase(readConfig(settings), "swath ledger verify");
  return await verifyLedger(database.db, signal);
}
