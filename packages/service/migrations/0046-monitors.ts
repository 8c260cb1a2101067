import { sql, type Kysely } from "kysely";

/** Monitors of areas, the scenes that they measure, and what they spend in a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // rule_number: counts the rules; values of earlier ones are not compared. base_url: of the addresses in results.
  await sql`
    create table monitors (
      id text collate "C" not null,
      serial bigint generated always as identity,
      owner_id text not null,
      query_id text collate "C" not null,
      name text not null,
      enabled boolean not null,
      stop_reason text,
      map_types text not null,
      budget_micro bigint not null,
      rule text not null,
      rule_number integer not null default 1,
      min_valid_share double precision not null,
      project text,
      base_url text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint monitors_pkey primary key (id),
      constraint monitors_query_unique unique (query_id),
      constraint monitors_owner_fkey foreign key (owner_id) references users (id) on delete cascade,
      constraint monitors_query_fkey foreign key (query_id) references standing_queries (id) on delete cascade,
      constraint monitors_budget_check check (budget_micro >= 0)
    )`.execute(db);
  await sql`create index monitors_owner on monitors (owner_id, serial desc)`.execute(db);
  await sql`
    create table monitor_months (
      monitor_id text collate "C" not null,
      month text collate "C" not null,
      reserved_micro bigint not null default 0,
      spent_micro bigint not null default 0,
      constraint monitor_months_pkey primary key (monitor_id, month),
      constraint monitor_months_monitor_fkey foreign key (monitor_id) references monitors (id) on delete cascade,
      constraint monitor_months_reserved_check check (reserved_micro >= 0),
      constraint monitor_months_spent_check check (spent_micro >= 0)
    )`.execute(db);
  // due_at: when a waiting scene is looked at next; a claim moves it. tries: how often it was claimed.
  await sql`
    create table monitor_scenes (
      serial bigint generated always as identity,
      monitor_id text collate "C" not null,
      scene_id text collate "C" not null,
      status text not null default 'WAITING',
      tries integer not null default 0,
      due_at timestamptz not null,
      message text,
      skip_reason text,
      pipeline_id text collate "C",
      month text collate "C",
      reserved_micro bigint not null default 0,
      charged_micro bigint not null default 0,
      acquired_at timestamptz,
      rule_number integer,
      area_values jsonb not null default '[]',
      alert_areas jsonb not null default '[]',
      matched_at timestamptz not null,
      finished_at timestamptz,
      constraint monitor_scenes_pkey primary key (monitor_id, scene_id),
      constraint monitor_scenes_serial_unique unique (serial),
      constraint monitor_scenes_monitor_fkey foreign key (monitor_id) references monitors (id) on delete cascade,
      constraint monitor_scenes_status_check check (status in ('WAITING', 'RUNNING', 'DONE', 'SKIPPED')),
      constraint monitor_scenes_running_check
        check (status <> 'RUNNING' or (pipeline_id is not null and month is not null))
    )`.execute(db);
  await sql`create index monitor_scenes_waiting on monitor_scenes (due_at) where status = 'WAITING'`.execute(db);
  await sql`create index monitor_scenes_running on monitor_scenes (monitor_id) where status = 'RUNNING'`.execute(db);
  await sql`create index monitor_scenes_latest on monitor_scenes (monitor_id, serial desc)`.execute(db);
  await sql`
    create index monitor_scenes_values on monitor_scenes (monitor_id, rule_number, acquired_at desc)
    where status = 'DONE'`.execute(db);
}
