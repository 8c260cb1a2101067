import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { escapeIdentifier, type Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { BackupError } from "./backup-error.ts";
import { tablePath, type BackedUpTable, type Manifest } from "./manifest.ts";
import { TextDigest } from "./text-digest.ts";

/**
 * Replaces the rows of every table by the rows of a backup, in one transaction. Foreign keys and constraints judge the
 * rows; triggers of the service do not run, because their effects are rows of the backup already.
 *
 * @throws {BackupError} when a file has other rows than the manifest says; nothing is loaded then
 */
export async function loadTables(
  client: Client,
  folder: string,
  { sequences, tables }: Pick<Manifest, "sequences" | "tables">,
  signal: AbortSignal,
): Promise<void> {
  const names = tables.map(({ name }) => escapeIdentifier(name));
  await client.query("begin");
  try {
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${names.join(", ")}`);
    for (const table of tables) await loadTable(client, folder, table, signal);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    for (const [name, value] of Object.entries(sequences)) {
      await client.query("select setval(quote_ident($1)::regclass, $2)", [name, value]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
  await client.query("analyze");
}

async function loadTable(
  client: Client,
  folder: string,
  { columns, name, rows, sha256 }: BackedUpTable,
  signal: AbortSignal,
): Promise<void> {
  const path = tablePath(folder, name);
  const digest = new TextDigest();
  const target = `copy ${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(", ")}) from stdin`;
  await pipeline(createReadStream(path), createGunzip(), digest, client.query(copyFrom(target)), { signal });
  if (digest.rows !== rows || digest.sha256() !== sha256) {
    throw new BackupError(`${path} is not as it was written: got ${digest.rows} rows, expected ${rows}`);
  }
}
