import { sql, type Kysely } from "kysely";

/** The credit that a user's orders hold is read with the balance: open holds are few, past ones are many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index credit_holds_held_idx on credit_holds (group_id, user_id) include (reserved_micro)
    where state = 'held'`.execute(db);
}
