import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row per exported image whose files may be among the blobs, written before they are. files: name, size and
  // hash of each once all are there. Rows and blobs go with the sweep after their expiry.
  await sql`
    create table image_exports (
      pipeline_id text collate "C" constraint image_exports_pkey primary key,
      scene_id text not null,
      files jsonb not null,
      expires_at timestamptz not null
    )`.execute(db);
  // Serves the sweep.
  await sql`create index image_exports_expires_at_idx on image_exports (expires_at)`.execute(db);
}
