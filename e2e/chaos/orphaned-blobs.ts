import type { Client } from "pg";
import type { BlobStore } from "../../packages/base/src/blobs/blob-store.ts";

/** Folders whose second segment is the identifier of the row that all their blobs belong to. */
const OWNED_BY_ID = new Set(["downloads", "exports", "uploads"]);

/** The blob that a store writes to learn whether it takes writes. */
const PROBE = "probe";

/** Blobs whose keys stand in no row. */
export async function orphanedBlobs(database: Client, blobs: BlobStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list("")) keys.push(key);
  const rows = await rowTexts(database);
  return keys.filter((key) => {
    if (key === PROBE) return false;
    const [folder = "", id] = key.split(/[/.]/);
    const name = OWNED_BY_ID.has(folder) && id !== undefined ? id : key;
    return !rows.some((row) => row.includes(name));
  });
}

/** The rows of all tables but the pipelines, whose results do not keep a blob, as text. */
async function rowTexts(database: Client): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'pipelines'",
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts;
}
