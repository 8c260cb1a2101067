import { sql, type Kysely } from "kysely";

/** The end of a scene starts scenes that wait for the same monitor. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index monitor_scenes_untried on monitor_scenes (monitor_id, serial)
    where status = 'WAITING' and tries = 0`.execute(db);
}
