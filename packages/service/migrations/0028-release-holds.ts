import { sql, type Kysely } from "kysely";

/** Releases hold credit for their maps, of scenes of one dataset or of several. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table credit_holds
      add column purpose text not null default 'order'
        constraint credit_holds_purpose_check check (purpose in ('order', 'release')),
      alter column provider drop not null,
      alter column dataset drop not null`.execute(db);
  await sql`
    create index credit_holds_release_idx on credit_holds (created_at, order_reference_id)
    where purpose = 'release' and state = 'held'`.execute(db);
}
