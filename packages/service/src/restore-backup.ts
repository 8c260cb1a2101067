import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import { openBlobStore } from "@swath/base/blobs/open-blob-store";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { migrations as known } from "../migrations/registry.ts";
import { verifyLedger, type LedgerReport } from "./features/credits/verify/verify-ledger.ts";
import { DEMO_LOGIN, type BackupReport } from "./make-backup.ts";
import { BackupError } from "./platform/backup/backup-error.ts";
import { connectForCopies } from "./platform/backup/connect.ts";
import { copyBlobsIn } from "./platform/backup/copy-blobs.ts";
import { loadTables } from "./platform/backup/load-tables.ts";
import { blobFolder, readManifest, type Manifest } from "./platform/backup/manifest.ts";
import { readConfig, type Settings } from "./platform/config/config.ts";
import type { Db } from "./platform/context.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded/embedded-postgres.ts";
import { migrate } from "./platform/postgres/migrate.ts";
import { openPool } from "./platform/postgres/pool.ts";

/** The contents that were restored, and the proof of its ledger. */
export interface RestoreReport extends BackupReport {
  readonly ledger: LedgerReport;
}

/**
 * Fills the empty database and the store of a service with these settings from a backup. Then it brings the schema up
 * to date and proves the ledger. The service must not run.
 *
 * @throws {BackupError} when the backup is not whole or from a newer version, or the database has users
 * @throws {FolderInUseError} when a service runs on SWATH_DATA
 * @throws {ConfigError} naming every fault of the configuration
 */
export async function restoreConfigured(
  folder: string,
  signal: AbortSignal,
  settings: Settings = {},
): Promise<RestoreReport> {
  const config = readConfig(settings);
  const source = resolve(folder);
  const manifest = await readManifest(source);
  const schema = requireKnownSchema(manifest);
  await using stack = new AsyncDisposableStack();
  const { dataFolder } = config;
  const url = config.database.url ?? stack.use(await startEmbeddedPostgres({ dataFolder, log: silentLog })).url;
  const { db } = stack.use(openPool({ url, maxConnections: 2, statementTimeoutMs: 0, log: silentLog }));
  await requireNoUsers(db);
  const blobs = stack.use(await openBlobStore(config.blobs, systemClock));
  // Blobs before their rows.
  const copied = await copyBlobsIn(blobFolder(source), blobs, signal);
  if (copied.count !== manifest.blobs.count || copied.bytes !== manifest.blobs.bytes) {
    throw new BackupError(
      `${blobFolder(source)} has ${copied.count} blobs of ${copied.bytes} bytes, ` +
        `expected ${manifest.blobs.count} of ${manifest.blobs.bytes}`,
    );
  }
  await migrate(db, silentLog, schema);
  {
    await using client = await connectForCopies(url, "swath restore");
    await loadTables(client, source, manifest, signal);
  }
  await migrate(db, silentLog);
  const login = join(source, DEMO_LOGIN);
  if (existsSync(login)) await cp(login, join(dataFolder, DEMO_LOGIN));
  const ledger = await verifyLedger(db, signal);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return { folder: source, tables: manifest.tables.length, rows, blobs: copied, ledger };
}

/** The last migration of the backup. */
function requireKnownSchema({ migrations }: Manifest): string {
  const names = Object.keys(known);
  const foreign = migrations.find((name, at) => names[at] !== name);
  const last = migrations.at(-1);
  if (foreign === undefined && last !== undefined) return last;
  throw new BackupError(`the backup is from another version: it has the migration ${foreign ?? "none"}`);
}

async function requireNoUsers(db: Db): Promise<void> {
  const { rows } = await sql<{ hasTable: boolean }>`select to_regclass('users') is not null as "hasTable"`.execute(db);
  if (rows[0]?.hasTable !== true) return;
  const users = await db.selectFrom("users").select("id").limit(1).execute();
  if (users.length === 0) return;
  throw new BackupError("the database has users: restore into an empty SWATH_DATA or an empty database");
}
