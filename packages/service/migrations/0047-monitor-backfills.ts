import { sql, type Kysely } from "kysely";

/** Scenes of backfills keep the price that the owner has accepted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table monitor_scenes add column accepted_micro bigint`.execute(db);
}
