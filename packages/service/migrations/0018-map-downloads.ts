import { sql, type Kysely } from "kysely";

/** Files made once for a caller, such as reports and exported maps, kept until their address ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table map_downloads (
      pipeline_id text constraint map_downloads_pkey primary key,
      file_name text not null,
      media_type text not null,
      size_bytes bigint not null,
      hash text not null,
      expires_at timestamptz not null
    )`.execute(db);
  // Serves the removal of files whose addresses have ended.
  await sql`create index map_downloads_expires_at_idx on map_downloads (expires_at)`.execute(db);
}
