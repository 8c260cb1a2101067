import { sql, type Kysely } from "kysely";

/** Elements of orbits, windows, contracts, orders, their history and their captures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // digest: of the canonical elements. A set that is known already is not stored again.
  await sql`
    create table tasking_elements (
      elements_key bigint generated always as identity,
      catalogue_number integer not null,
      name text not null,
      epoch timestamptz not null,
      elements text not null,
      format text not null,
      digest text not null,
      imported_by text not null,
      imported_at timestamptz not null,
      constraint tasking_elements_pkey primary key (elements_key),
      constraint tasking_elements_digest_unique unique (catalogue_number, digest)
    )
  `.execute(db);
  await sql`
    create index tasking_elements_newest on tasking_elements (catalogue_number, epoch desc, elements_key desc)
  `.execute(db);
  // group_id null: of every group. terms: JSON of the lists that the record has.
  await sql`
    create table tasking_contracts (
      id text not null,
      name text not null,
      provider text collate "C" not null,
      group_id text,
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      is_default boolean not null,
      terms text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint tasking_contracts_pkey primary key (id),
      constraint tasking_contracts_interval_check check (starts_at < ends_at)
    )
  `.execute(db);
  await sql`create index tasking_contracts_of on tasking_contracts (provider, group_id)`.execute(db);
  // parameters: JSON of the request that the window answers. offer: JSON of what the provider needs to take an order.
  await sql`
    create table tasking_windows (
      window_id text not null,
      user_id text not null,
      group_id text not null,
      provider text collate "C" not null,
      dataset text collate "C" not null,
      parameters text not null,
      geometry text not null,
      window_start timestamptz not null,
      window_end timestamptz not null,
      document text not null,
      offer text not null,
      area_m2 bigint not null,
      price_micro bigint not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint tasking_windows_pkey primary key (window_id)
    )
  `.execute(db);
  await sql`create index tasking_windows_expiry on tasking_windows (expires_at)`.execute(db);
  await sql`create index tasking_windows_user on tasking_windows (user_id, created_at desc)`.execute(db);
  // request_key: digest of user, parameters and window, by which a repeated request is known. poll_*: of the poller.
  await sql`
    create table tasking_orders (
      id uuid not null,
      serial bigint generated always as identity,
      version integer not null default 0,
      name text not null,
      provider text collate "C" not null,
      dataset text collate "C" not null,
      owner_id text not null,
      group_id text not null,
      paying_group_id text not null,
      window_id text,
      batch_id uuid,
      recurrence text,
      geometry text not null,
      original_geometry text not null,
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      status text not null,
      tasking_type text not null,
      priority text,
      parameters text not null,
      offer text not null,
      contract_id text,
      project_name text,
      analysis_id text,
      max_cloud_cover double precision not null,
      area_m2 bigint not null,
      price_micro bigint not null,
      cancel_cutoff_hours double precision not null,
      cancel_fee_share double precision not null,
      scheduled_at timestamptz,
      provider_order_id text,
      cancel_requested_at timestamptz,
      request_key text not null,
      poll_due_at timestamptz,
      poll_claimed_until timestamptz,
      poll_failures integer not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint tasking_orders_pkey primary key (id),
      constraint tasking_orders_request_unique unique (request_key),
      constraint tasking_orders_status_check check (status in
        ('RECEIVED', 'PENDING', 'IN_PROGRESS', 'FULFILLED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'FAILED'))
    )
  `.execute(db);
  await sql`create index tasking_orders_owner on tasking_orders (owner_id, serial desc)`.execute(db);
  await sql`create index tasking_orders_group on tasking_orders (group_id, serial desc)`.execute(db);
  // Lists of administrators, newest first.
  await sql`create index tasking_orders_newest on tasking_orders (serial desc)`.execute(db);
  await sql`create index tasking_orders_batch on tasking_orders (batch_id) where batch_id is not null`.execute(db);
  await sql`
    create index tasking_orders_due on tasking_orders (poll_due_at)
    where status in ('RECEIVED', 'PENDING', 'IN_PROGRESS')
  `.execute(db);
  await sql`
    create table tasking_order_history (
      order_id uuid not null,
      version integer not null,
      event text,
      status text not null,
      reason_code text,
      reason_text text,
      transaction_id uuid,
      occurred_at timestamptz not null,
      constraint tasking_order_history_pkey primary key (order_id, version),
      constraint tasking_order_history_order_fkey foreign key (order_id)
        references tasking_orders (id) on delete cascade
    )
  `.execute(db);
  // ingested_scenes: JSON of {id, ingestionId, ingestionTime}. delivery_*: of the ingestion of a published capture.
  await sql`
    create table tasking_captures (
      id uuid not null,
      serial bigint generated always as identity,
      order_id uuid not null,
      provider_capture_id text not null,
      status text not null,
      strip_id text not null,
      foreign_scene_types text[] not null,
      ingested_scenes text not null,
      cloud_cover double precision,
      coverage_ratio double precision,
      off_nadir_deg double precision,
      footprint text,
      area_m2 bigint,
      fulfils boolean,
      captured_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint tasking_captures_pkey primary key (id),
      constraint tasking_captures_told_unique unique (order_id, provider_capture_id),
      constraint tasking_captures_order_fkey foreign key (order_id)
        references tasking_orders (id) on delete cascade,
      constraint tasking_captures_status_check check (status in
        ('SCHEDULED', 'QUEUED', 'PROCESSING', 'PUBLISHED', 'FAILED', 'CANCELLED'))
    )
  `.execute(db);
  // What was sent to providers that take an order twice: written before an order is sent.
  await sql`
    create table tasking_submissions (
      order_id uuid not null,
      authority text not null,
      sent_at timestamptz not null,
      provider_order_id text,
      refusal text,
      cancel_sent_at timestamptz,
      constraint tasking_submissions_pkey primary key (order_id),
      constraint tasking_submissions_name_unique unique (authority, provider_order_id)
    )
  `.execute(db);
  // Of the simulated provider. not_before: another order has taken its pass.
  await sql`
    create table tasking_rehearsals (
      order_id uuid not null,
      created_at timestamptz not null,
      not_before timestamptz not null,
      cancelled_at timestamptz,
      constraint tasking_rehearsals_pkey primary key (order_id)
    )
  `.execute(db);
  // Of the simulated provider. A pass that another order has taken stays, for the telling of it. pass: JSON.
  await sql`
    create table tasking_bookings (
      order_id uuid not null,
      attempt integer not null,
      catalogue_number integer not null,
      rank integer not null,
      captured_at timestamptz not null,
      pass text not null,
      is_taken boolean not null default false,
      constraint tasking_bookings_pkey primary key (order_id, attempt),
      constraint tasking_bookings_order_fkey foreign key (order_id)
        references tasking_rehearsals (order_id) on delete cascade
    )
  `.execute(db);
  await sql`
    create index tasking_bookings_satellite on tasking_bookings (catalogue_number, captured_at) where not is_taken
  `.execute(db);
}
