import { sql, type Kysely } from "kysely";

/** The queue and what callers see of it are one table: no job without a pipeline, no pipeline without a job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `json`, not `jsonb`, for what is only handed through: it keeps the order of keys and is cheaper to write.
  await sql`
    create table pipelines (
      id text collate "C" not null,
      kind text not null,
      status text not null,
      request json not null,
      caller json not null,
      user_id text not null,
      group_id text not null,
      base_url text not null,
      progress json,
      partial json,
      result json,
      error_code text,
      error_message text,
      attempt integer not null default 0,
      failures integer not null default 0,
      worker text,
      claimable_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      modified_at timestamptz not null default now(),
      finished_at timestamptz,
      constraint pipelines_pkey primary key (id),
      constraint pipelines_id_form check (id ~ '^[0-9A-Za-z]{20}$'),
      constraint pipelines_status_known check (status in ('NEW', 'PROCESSING', 'RESOLVED', 'FAILED', 'CANCELLED')),
      constraint pipelines_finished_when_terminal
        check ((finished_at is not null) = (status in ('RESOLVED', 'FAILED', 'CANCELLED'))),
      constraint pipelines_failed_has_code check (status <> 'FAILED' or error_code is not null)
    )
  `.execute(db);
  // Serves the claim: the few rows that wait or run, whatever the number of finished ones.
  await sql`
    create index pipelines_claim on pipelines (claimable_at, id) where status in ('NEW', 'PROCESSING')
  `.execute(db);
  // Serves the expiry sweep.
  await sql`create index pipelines_finished on pipelines (finished_at) where finished_at is not null`.execute(db);
  // Claims and heartbeats rewrite rows often: vacuum early, the live part stays small.
  await sql`
    alter table pipelines set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)
  `.execute(db);
}
