import { sql, type Kysely } from "kysely";

/** Sessions of the web console. Cookies hold the secrets; rows hold their hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // next_sealed: the present secret, sealed with the previous one, for a browser that missed an answer.
  await sql`
    create table console_sessions (
      id text collate "C" not null,
      user_id text not null,
      token_version integer not null,
      second_factor boolean not null,
      secret_hash bytea not null,
      previous_hash bytea,
      next_sealed bytea,
      rotated_at timestamptz not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint console_sessions_pkey primary key (id),
      constraint console_sessions_user_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index console_sessions_user on console_sessions (user_id, rotated_at)`.execute(db);
  await sql`create index console_sessions_expiry on console_sessions (expires_at)`.execute(db);
}
