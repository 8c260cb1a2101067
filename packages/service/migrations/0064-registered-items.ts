import { sql, type Kysely } from "kysely";

/** Scenes of registered items: their pixels stay in files on hosts that the operator allows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table scenes add column registered boolean not null default false`.execute(db);
  // item: JSON of the STAC item as far as its scene needs it, null for other scenes. Nothing looks inside.
  await sql`alter table scene_documents add column item text`.execute(db);
}
