import { sql, type Kysely } from "kysely";

/** When the claims were issued that the memberships of a user follow: an older token does not undo a newer one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column external_claims_at timestamptz`.execute(db);
}
