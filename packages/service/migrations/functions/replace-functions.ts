import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql, type Kysely } from "kysely";

/** SHA-256 of the files of functions, by the name of the function. */
export type FunctionHashes = Readonly<Record<string, string>>;

/** The text of the file `<name>.sql` of this folder, and its SHA-256; null when there is none. */
export function readFunction(name: string): { readonly text: string; readonly hash: string } | null {
  const path = join(import.meta.dirname, `${name}.sql`);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  return { text, hash: createHash("sha256").update(text).digest("hex") };
}

/**
 * Creates or replaces functions by their files. A file with another hash belongs to a later migration, which installs
 * it: a new database gets each function once, when all that the function needs is there.
 */
export async function replaceFunctions(db: Kysely<unknown>, hashes: FunctionHashes): Promise<void> {
  for (const [name, hash] of Object.entries(hashes)) {
    const file = readFunction(name);
    if (file?.hash === hash) await sql.raw(file.text).execute(db);
  }
}
