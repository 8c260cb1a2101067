import { sql, type Kysely } from "kysely";

/** Orders keep the request of the dialect that placed them; searches for opportunities are listed by user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tasking_orders add column foreign_request text`.execute(db);
  await sql`
    create index pipelines_opportunity_searches on pipelines (user_id, created_at desc, id desc)
    where lane = 'opportunities'`.execute(db);
}
