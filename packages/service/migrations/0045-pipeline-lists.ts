import { sql, type Kysely } from "kysely";

/** Serves the list of a user's pipelines: the newest of each status and lane, however many others there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index pipelines_listed on pipelines (user_id, lane, status, created_at desc, id desc)
    where lane in ('quick', 'heavy')
  `.execute(db);
}
