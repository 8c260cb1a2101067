import { sql, type Kysely } from "kysely";

/** The inputs of a map and the digest of its pixels, as its release found them; null of maps of earlier versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table maps add column provenance jsonb`.execute(db);
}
