import { sql, type Kysely } from "kysely";

/**
 * Owners and audiences of uploaded scenes. Rows of before keep the audience everybody: all users saw them, and their
 * owner is not recorded. Administrators give such a scene an owner with `/imagery/scene/set-visibility`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `group:ID`, `organization:ID` or `user:ID`; an audience of null is everybody.
  await sql`
    alter table scenes
      add column owner text collate "C",
      add column audience text collate "C"
  `.execute(db);
  // Owners that ingest the same bytes have a scene each.
  await sql`drop index scenes_content_hash_unique`.execute(db);
  await sql`
    create unique index scenes_content_hash_unique on scenes (dataset_key, content_hash, coalesce(owner, ''))
    where content_hash is not null
  `.execute(db);
}
