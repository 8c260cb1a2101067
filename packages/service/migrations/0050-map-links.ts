import { sql, type Kysely } from "kysely";

/** Links to maps. A signed map ID that names a link is valid while the row exists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // claims: the content of the map ID besides its expiry and the link; no secret. json keeps the order of members:
  // a list signs the same text again.
  await sql`
    create table map_links (
      id text collate "C" not null,
      owner_id text not null,
      name text,
      claims json not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint map_links_pkey primary key (id),
      constraint map_links_owner_fkey foreign key (owner_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index map_links_owner on map_links (owner_id, created_at desc, id)`.execute(db);
  await sql`create index map_links_expiry on map_links (expires_at)`.execute(db);
}
