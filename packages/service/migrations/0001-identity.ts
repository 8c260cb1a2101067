import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Groups, users, the keys that sign tokens and the record of failed logins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table groups (
      id text not null,
      name text not null,
      permissions text[] not null default '{}',
      license_expires_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint groups_pkey primary key (id),
      constraint groups_name_key unique (name)
    )`.execute(db);

  await sql`
    create table users (
      id text not null,
      email text not null,
      name text not null,
      type text not null,
      password_hash text,
      external_subject text,
      extra_permissions text[] not null default '{}',
      accounting text,
      tasking_accounting text,
      application_language text not null default 'en',
      default_application text,
      blocked boolean not null default false,
      require_mfa boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      created_by text,
      last_login timestamptz,
      logins_count integer not null default 0,
      constraint users_pkey primary key (id),
      constraint users_email_key unique (email),
      constraint users_email_lower_case check (email = lower(email)),
      constraint users_external_subject_key unique (external_subject),
      constraint users_accounting_fkey foreign key (accounting) references groups (id),
      constraint users_tasking_accounting_fkey foreign key (tasking_accounting) references groups (id)
    )`.execute(db);

  await sql`
    create table group_members (
      user_id text not null,
      group_id text not null,
      position integer not null,
      constraint group_members_pkey primary key (user_id, group_id),
      constraint group_members_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
      constraint group_members_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
    )`.execute(db);
  // Serves "who belongs to this group"; the primary key serves "which groups has this user".
  await sql`create index group_members_group_id_idx on group_members (group_id)`.execute(db);

  await sql`
    create table signing_keys (
      kid text not null,
      algorithm text not null,
      private_jwk jsonb not null,
      public_jwk jsonb not null,
      created_at timestamptz not null,
      signs_until timestamptz,
      constraint signing_keys_pkey primary key (kid)
    )`.execute(db);

  await sql`
    create table login_attempts (
      subject text not null,
      failures integer not null,
      locked_until timestamptz not null,
      updated_at timestamptz not null,
      constraint login_attempts_pkey primary key (subject)
    )`.execute(db);
  // Serves the removal of records nobody has touched for a day.
  await sql`create index login_attempts_updated_at_idx on login_attempts (updated_at)`.execute(db);
}
