import { sql, type Kysely } from "kysely";

/** Lanes of the queue, turns of the callers within a lane, and deaths of processes that ran a pipeline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pipelines
      add column lane text not null default 'heavy',
      add column share text not null default '',
      add column turn double precision not null default 0,
      add column deaths integer not null default 0
  `.execute(db);
  // Pipelines that wait go to the lanes whose workers run their kind.
  await sql`
    update pipelines set share = group_id || ' ' || user_id, lane = case
      when kind in ('/imagery/search', '/mapsvc/dry-run', '/mapsvc/pairwise', '/mapsvc/nwise') then 'quick'
      when kind = '/imagery/ingest-on-demand' then 'fetch'
      when kind = '/mapsvc/analyse-part' then 'parts'
      else 'heavy' end
    where status in ('NEW', 'PROCESSING')
  `.execute(db);
  await sql`drop index pipelines_claim`.execute(db);
  // Serves the claim, the position in the queue and the turn of a new pipeline.
  await sql`
    create index pipelines_turns on pipelines (lane, turn, id) where status in ('NEW', 'PROCESSING')
  `.execute(db);
  // Serves the bound on waiting pipelines of a caller and the turn of a new pipeline.
  await sql`
    create index pipelines_shares on pipelines (lane, share, turn) where status in ('NEW', 'PROCESSING')
  `.execute(db);
}
