import { sql, type Kysely } from "kysely";

/** The maps that a user has released, for the items of their scenes. Nothing limits them: maps are kept for ever, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table released_maps (
      user_id text not null references users (id) on delete cascade,
      scene_id text collate "C" not null,
      map_id text not null references maps (map_id) on delete cascade,
      released_at timestamptz not null default now(),
      constraint released_maps_pkey primary key (user_id, scene_id, map_id)
    )`.execute(db);
  await sql`create index released_maps_map on released_maps (map_id)`.execute(db);
}
