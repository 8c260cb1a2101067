import { sql, type Kysely } from "kysely";

/** More than one secret for map IDs and addresses: the newest signs once `signs_from` is over, the others verify. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table map_signing_keys
      drop constraint map_signing_keys_single_check,
      add column signs_from timestamptz not null default 'epoch'`.execute(db);
}
