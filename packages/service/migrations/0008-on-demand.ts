import { sql, type Kysely } from "kysely";

/** Pixels that are fetched from providers when somebody needs them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One row per scene that is or was fetched, locked while it is decided whether a pipeline has to be started.
  // plan: hash of what that pipeline fetches.
  await sql`
    create table ingestions (
      target_id text collate "C" constraint ingestions_pkey primary key,
      pipeline_id text collate "C" not null,
      plan text collate "C" not null,
      updated_at timestamptz not null default now()
    )`.execute(db);
  // Serves the sweep.
  await sql`create index ingestions_updated_at_idx on ingestions (updated_at)`.execute(db);

  // Who waits for a scene; seen_at is renewed while they do, so that a dead process counts for nobody.
  await sql`
    create table ingestion_waiters (
      waiter_id text constraint ingestion_waiters_pkey primary key,
      target_id text collate "C" not null,
      seen_at timestamptz not null default now()
    )`.execute(db);
  // Serves the question whether anybody still waits.
  await sql`create index ingestion_waiters_target_idx on ingestion_waiters (target_id, seen_at)`.execute(db);

  // Rasters that are finished: a later run of the same plan takes them as they are. part: where the pixels are and
  // what is known of them; keys: their blobs.
  await sql`
    create table ingestion_parts (
      target_id text collate "C" not null,
      plan text collate "C" not null,
      raster integer not null,
      part jsonb not null,
      keys text[] not null,
      created_at timestamptz not null default now(),
      constraint ingestion_parts_pkey primary key (target_id, plan, raster)
    )`.execute(db);

  // Blobs that no scene refers to any more. They stay for as long as a request that began before may read them.
  await sql`
    create table retired_blobs (
      key text collate "C" constraint retired_blobs_pkey primary key,
      remove_at timestamptz not null
    )`.execute(db);
  // Serves the sweep.
  await sql`create index retired_blobs_remove_at_idx on retired_blobs (remove_at)`.execute(db);
}
