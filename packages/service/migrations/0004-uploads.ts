import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row per promised upload. The bytes are a partial file of the receiving process while open, a blob once
  // complete, to be removed when used, and removed when gone. scene_id tells what they became, null when they were
  // refused. Rows go with the sweep after their expiry.
  await sql`
    create table uploads (
      upload_id text constraint uploads_pkey primary key,
      user_id text not null,
      group_id text not null,
      filename text not null,
      suffix text not null constraint uploads_suffix_check check (suffix in ('.geotiff', '.zip')),
      size_bytes bigint not null constraint uploads_size_check check (size_bytes > 0),
      status text not null constraint uploads_status_check check (status in ('open', 'complete', 'used', 'gone')),
      scene_id text,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);

  // Serves the sweep of expired uploads.
  await sql`create index uploads_expires_at_idx on uploads (expires_at)`.execute(db);
  // Serves the removal of bytes that are no longer needed.
  await sql`create index uploads_used_idx on uploads (upload_id) where status = 'used'`.execute(db);
  // Serves the count of a user's open uploads.
  await sql`create index uploads_user_open_idx on uploads (user_id) where status = 'open'`.execute(db);
}
