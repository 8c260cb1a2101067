import { sql, type Kysely } from "kysely";

/** A map may be made of many scenes by a rule; null: of one scene, a pair or a series. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table maps add column mosaic jsonb`.execute(db);
}
