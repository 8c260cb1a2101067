import { sql, type Kysely } from "kysely";

/** Organisations over groups, managers, licence begin, sessions that a new password ends, and the record of changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizations (
      id text not null,
      name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint organizations_pkey primary key (id),
      constraint organizations_name_key unique (name)
    )`.execute(db);

  await sql`
    alter table groups
      add column organization_id text constraint groups_organization_id_fkey references organizations (id),
      add column license_starts_at timestamptz`.execute(db);
  // Groups of before are organisations of their own: nobody's rights reach further than they did.
  await sql`
    insert into organizations (id, name, created_at, updated_at)
    select id, name, created_at, updated_at from groups`.execute(db);
  await sql`update groups set organization_id = id`.execute(db);
  await sql`create index groups_organization_id_idx on groups (organization_id)`.execute(db);

  await sql`alter table group_members add column is_manager boolean not null default false`.execute(db);
  // Raised by a new password; tokens carry the value they were issued under.
  await sql`alter table users add column token_version integer not null default 0`.execute(db);

  await sql`
    create table audit_log (
      id bigint generated always as identity,
      at timestamptz not null,
      actor_kind text not null,
      actor_id text,
      actor_email text,
      request_id text,
      action text not null,
      target_kind text not null,
      target_id text not null,
      before jsonb,
      after jsonb,
      constraint audit_log_pkey primary key (id)
    )`.execute(db);
  // Each serves one filter in the order of the list.
  await sql`create index audit_log_at_idx on audit_log (at, id)`.execute(db);
  await sql`create index audit_log_actor_idx on audit_log (actor_id, at, id)`.execute(db);
  await sql`create index audit_log_target_idx on audit_log (target_id, at, id)`.execute(db);
  await sql`create index audit_log_action_idx on audit_log (action, at, id)`.execute(db);
  await sql`
    create trigger audit_log_append_only before update or delete on audit_log
    for each row execute function refuse_change()`.execute(db);
  await sql`
    create trigger audit_log_never_emptied before truncate on audit_log
    for each statement execute function refuse_change()`.execute(db);
}
