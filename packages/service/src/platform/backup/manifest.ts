import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { BackupError } from "./backup-error.ts";

const Count = Type.Integer({ minimum: 0 });

const BackedUpTable = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Count,
  /** Of the text before its compression. */
  sha256: Type.String(),
});
export type BackedUpTable = Static<typeof BackedUpTable>;

const Manifest = Type.Object({
  format: Type.Literal(1),
  createdAt: Type.String(),
  /** Names of the applied migrations, in their order: the schema of the tables. */
  migrations: Type.Array(Type.String()),
  /** In an order in which rows find the rows that they refer to. */
  tables: Type.Array(BackedUpTable),
  /** Latest values; sequences that were never used are absent. */
  sequences: Type.Record(Type.String(), Type.Integer()),
  blobs: Type.Object({ count: Count, bytes: Count }),
});

/** The contents of a backup. It is written last: a folder without it is no whole backup. */
export type Manifest = Static<typeof Manifest>;

const FILE = "manifest.json";

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, FILE);
  await writeFile(`${path}.draft`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.draft`, path);
}

/** @throws {BackupError} when the folder holds no whole backup */
export async function readManifest(folder: string): Promise<Manifest> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(join(folder, FILE), "utf8"));
  } catch (cause) {
    throw new BackupError(`${folder} holds no whole backup: ${FILE} cannot be read`, { cause });
  }
  if (!Value.Check(Manifest, value)) throw new BackupError(`${join(folder, FILE)} is no manifest of a backup`);
  return value;
}

/** The rows of a table in the text format of COPY, compressed. */
export function tablePath(folder: string, table: string): string {
  return join(folder, "tables", `${table}.copy.gz`);
}

export function blobFolder(folder: string): string {
  return join(folder, "blobs");
}
