import { sql, type Kysely } from "kysely";

/** Scenes of registered items: their pixels stay in files on hosts that the operator allows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table scenes add column registered boolean not null default false`.execute(db);
  // item: the members of the STAC item that its pixels need, as JSON in zstd. Null for other scenes.
  await sql`
    alter table scene_documents
      add column item bytea,
      alter column item set storage external
  `.execute(db);
}
