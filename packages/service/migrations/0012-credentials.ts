import { sql } from "kysely";
import type { Kysely } from "kysely";

/** API keys, second factors, and subjects of external issuers told apart by issuer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id text not null,
      user_id text not null,
      name text not null,
      -- SHA-256 of the secret part, which has 256 random bits: a slow hash would protect nothing more.
      secret_hash bytea not null,
      permissions text[] not null,
      -- Whether the token that made the key had a second factor behind it.
      second_factor boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      constraint api_keys_pkey primary key (id),
      constraint api_keys_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
  // Serves the list of a user's keys and their number.
  await sql`create index api_keys_user_id_idx on api_keys (user_id, created_at desc, id)`.execute(db);

  await sql`
    create table second_factors (
      user_id text not null,
      -- Encrypted; see platform/identity/sealed-secret.ts.
      secret bytea not null,
      -- Number of the 30 s step whose code was used last: neither it nor an earlier one is taken again.
      last_step bigint not null,
      recovery_hashes bytea[] not null,
      confirmed_at timestamptz not null,
      constraint second_factors_pkey primary key (user_id),
      constraint second_factors_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);

  // Begun and not yet confirmed; what is confirmed stays good until the new one replaces it.
  await sql`
    create table second_factor_enrolments (
      user_id text not null,
      secret bytea not null,
      recovery_hashes bytea[] not null,
      created_at timestamptz not null,
      constraint second_factor_enrolments_pkey primary key (user_id),
      constraint second_factor_enrolments_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);

  // A subject is unique within its issuer only: another issuer's subject of the same text is another person.
  await sql`
    alter table users
      add column external_issuer text,
      drop constraint users_external_subject_key,
      add constraint users_external_subject_key unique (external_issuer, external_subject)`.execute(db);
}
