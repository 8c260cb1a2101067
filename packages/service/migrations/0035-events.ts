import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  announce_events: "de1b3b9eff494e0f58a8b7c13f7c55732504019f40cbb9000e2734fd080a2d46",
  tell_low_credit: "47576112535bc747b9d8ba14f9c8b0ef6e19a51d09f9e062fb2dd6a2fb64d631",
};

/** Events, and the webhooks that they are delivered to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceFunctions(db, functions);
  await createEvents(db);
  await createWebhooks(db);
  // An event when the credit of a group falls below the threshold; 0: never.
  await sql`
    alter table credit_groups add low_micro bigint not null default 100000000
      constraint credit_groups_low_check check (low_micro >= 0)`.execute(db);
  await sql`
    create trigger credit_groups_tell_low after update of remaining_micro on credit_groups for each row
    when (old.remaining_micro >= old.low_micro and new.remaining_micro < new.low_micro)
    execute function tell_low_credit()`.execute(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  // serial: order of writing, which commits need not follow. position: given after the commit, in the order that readers
  // follow. Whose event it is: a user, all of a group, all of an organisation, or several of these.
  await sql`
    create table events (
      serial bigint generated always as identity,
      position bigint,
      id uuid not null default gen_random_uuid(),
      type text collate "C" not null,
      subject text collate "C" not null,
      user_id text collate "C",
      group_id text collate "C",
      organization_id text collate "C",
      data jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      constraint events_pkey primary key (serial),
      constraint events_audience_check check (coalesce(user_id, group_id, organization_id) is not null)
    )`.execute(db);
  await sql`create unique index events_position on events (position) where position is not null`.execute(db);
  await sql`create index events_unplaced on events (serial) where position is null`.execute(db);
  // Callers see their events, the events of their group and of their organisation.
  for (const audience of ["user", "group", "organization"]) {
    const column = sql.id(`${audience}_id`);
    await sql`
      create index ${sql.id(`events_${audience}`)} on events (${column}, position)
      where position is not null and ${column} is not null`.execute(db);
  }
  await sql`create index events_created on events (created_at)`.execute(db);
  await sql`
    create trigger events_announce after insert on events
    for each statement execute function announce_events()`.execute(db);
  // How far events are placed, and how far each reader that keeps its place has read.
  await sql`
    create table event_marks (
      name text collate "C" not null,
      position bigint not null,
      constraint event_marks_pkey primary key (name)
    )`.execute(db);
  await sql`insert into event_marks (name, position) values ('placed', 0), ('webhooks', 0)`.execute(db);
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  // types: empty for all. secret: sealed. leased_by: the process that delivers at present. served_at: end of its last
  // turn. failing_since: of the first failure after which nothing was delivered.
  await sql`
    create table webhooks (
      id text collate "C" not null,
      serial bigint generated always as identity,
      owner_id text not null,
      url text not null,
      types text[] not null,
      description text not null,
      secret bytea not null,
      previous_secret bytea,
      previous_until timestamptz,
      enabled boolean not null,
      disabled_reason text,
      failing_since timestamptz,
      leased_by text,
      leased_until timestamptz,
      served_at timestamptz not null default 'epoch',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint webhooks_pkey primary key (id),
      constraint webhooks_owner_fkey foreign key (owner_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index webhooks_owner on webhooks (owner_id, serial desc)`.execute(db);
  await sql`create index webhooks_turn on webhooks (served_at) where enabled`.execute(db);
  // The outbox and the log in one. attempts: in the present round; a replay begins another. log: JSON of the last ones.
  await sql`
    create table webhook_deliveries (
      webhook_id text collate "C" not null,
      position bigint not null,
      event_serial bigint not null,
      subject text collate "C" not null,
      status text not null default 'pending',
      attempts integer not null default 0,
      due_at timestamptz not null default now(),
      log jsonb not null default '[]',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint webhook_deliveries_pkey primary key (webhook_id, position),
      constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'failed')),
      constraint webhook_deliveries_webhook_fkey foreign key (webhook_id) references webhooks (id) on delete cascade,
      constraint webhook_deliveries_event_fkey foreign key (event_serial) references events (serial) on delete cascade
    )`.execute(db);
  await sql`create index webhook_deliveries_event on webhook_deliveries (event_serial)`.execute(db);
  // Due deliveries of a webhook, and earlier events of a subject that wait.
  await sql`
    create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where status = 'pending'`.execute(
    db,
  );
  await sql`
    create index webhook_deliveries_subject on webhook_deliveries (webhook_id, subject, position)
    where status = 'pending'`.execute(db);
}
