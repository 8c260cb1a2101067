import { sql, type Kysely } from "kysely";

/** Networks from which users signed in: guesses from elsewhere do not lock these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table login_networks (
      user_id text not null,
      network text not null,
      seen_at timestamptz not null,
      constraint login_networks_pkey primary key (user_id, network),
      constraint login_networks_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
}
