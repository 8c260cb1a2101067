import { cp, mkdir, readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openBlobStore } from "@swath/base/blobs/open-blob-store";
import { systemClock } from "@swath/base/clock";
import { openConfiguredServer } from "./configured-database.ts";
import { BackupError } from "./platform/backup/backup-error.ts";
import { connectForCopies } from "./platform/backup/connect.ts";
import { copyBlobsOut } from "./platform/backup/copy-blobs.ts";
import { dumpTables } from "./platform/backup/dump-tables.ts";
import { blobFolder, writeManifest, type Manifest } from "./platform/backup/manifest.ts";
import { readConfig, type Config, type Settings } from "./platform/config/config.ts";

/** Written by the command line beside the data of a service. */
export const DEMO_LOGIN = "demo-login.json";

/** The contents of a backup. */
export interface BackupReport {
  readonly folder: string;
  readonly tables: number;
  readonly rows: number;
  readonly blobs: Manifest["blobs"];
}

/**
 * Copies the database and the blobs of a service with these settings to a folder, whether or not it runs. Work goes on
 * meanwhile; the copy is of one moment.
 *
 * @throws {BackupError} when the folder is not empty, or there is no database yet
 * @throws {ConfigError} naming every fault of the configuration
 */
export async function backUpConfigured(
  folder: string,
  signal: AbortSignal,
  settings: Settings = {},
): Promise<BackupReport> {
  const config = readConfig(settings);
  const target = resolve(folder);
  requireDatabase(config);
  await makeEmptyFolder(target);
  await using server = await openConfiguredServer(config);
  await using blobs = await openBlobStore(config.blobs, systemClock);
  await using client = await connectForCopies(server.url, "swath backup");
  const into = blobFolder(target);
  // Most blobs are copied before the snapshot: rows of the snapshot whose blobs are removed later have them here.
  const before = await copyBlobsOut(blobs, into, signal);
  await client.query("begin transaction isolation level repeatable read read only");
  // The first statement takes the snapshot.
  await client.query("select 1 from kysely_migration limit 1");
  const after = await copyBlobsOut(blobs, into, signal);
  const dumped = await dumpTables(client, target, signal);
  await client.query("commit");
  const login = join(config.dataFolder, DEMO_LOGIN);
  if (existsSync(login)) await cp(login, join(target, DEMO_LOGIN));
  const counts = { count: before.count + after.count, bytes: before.bytes + after.bytes };
  await writeManifest(target, {
    format: 1,
    createdAt: systemClock.now().toISOString(),
    ...dumped,
    blobs: counts,
  });
  const rows = dumped.tables.reduce((sum, table) => sum + table.rows, 0);
  return { folder: target, tables: dumped.tables.length, rows, blobs: counts };
}

/** Opening the embedded database of a folder without one would make one. */
function requireDatabase({ database, dataFolder }: Config): void {
  if (database.url !== null || existsSync(join(dataFolder, "postgres-password"))) return;
  throw new BackupError(`there is no database in ${dataFolder}: name the folder of the service with SWATH_DATA`);
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupError(`${folder} is not empty: name a new folder`);
  await mkdir(join(folder, "tables"));
  await mkdir(blobFolder(folder));
}
