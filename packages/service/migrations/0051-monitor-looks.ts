import { sql, type Kysely } from "kysely";

/** Monitors look for new scenes at their providers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table monitors add column look_every_minutes integer not null default 360,
      add column look_overlap_days integer not null default 7`.execute(db);
  // due_at: null while the monitor is paused and after its end. looked_until: acquisitions until then were looked for.
  // target: end of the period of a look that has begun; position: areas of it that were searched.
  await sql`
    create table monitor_looks (
      monitor_id text collate "C" not null,
      provider text collate "C" not null,
      due_at timestamptz,
      claimed_until timestamptz,
      looked_until timestamptz not null,
      target timestamptz,
      position integer not null default 0,
      last_look_at timestamptz,
      failures integer not null default 0,
      failed_at timestamptz,
      failure text,
      constraint monitor_looks_pkey primary key (monitor_id, provider),
      constraint monitor_looks_monitor_fkey foreign key (monitor_id) references monitors (id) on delete cascade
    )`.execute(db);
  await sql`create index monitor_looks_due on monitor_looks (provider, due_at) where due_at is not null`.execute(db);
  // The first looks of monitors that exist spread over their interval.
  await sql`
    insert into monitor_looks (monitor_id, provider, due_at, looked_until)
    select m.id, d.provider, case when m.enabled then now() + random() * interval '360 minutes' end, now()
    from monitors m
    join standing_query_datasets q on q.query_id = m.query_id
    join scene_datasets d on d.dataset_key = q.dataset_key
    group by m.id, d.provider`.execute(db);
}
