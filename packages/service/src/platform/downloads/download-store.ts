import { sql } from "kysely";
import type { Db } from "../context.ts";

/** A kept file. */
export interface DownloadRow {
  readonly pipelineId: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** SHA-256, base64url. */
  readonly hash: string;
  readonly expiresAt: Date;
}

/** Registers a file; a pipeline that runs again replaces the file of its earlier run. */
export async function insertDownload(db: Db, row: DownloadRow): Promise<void> {
  await sql`
    insert into map_downloads (pipeline_id, file_name, media_type, size_bytes, hash, expires_at)
    values (${row.pipelineId}, ${row.fileName}, ${row.mediaType}, ${row.sizeBytes}, ${row.hash}, ${row.expiresAt})
    on conflict (pipeline_id, file_name) do update set media_type = excluded.media_type,
      size_bytes = excluded.size_bytes, hash = excluded.hash, expires_at = excluded.expires_at`.execute(db);
}

export async function readDownload(db: Db, pipelineId: string, fileName: string): Promise<DownloadRow | null> {
  const { rows } = await sql<Omit<DownloadRow, "sizeBytes"> & { readonly sizeBytes: string }>`
    select pipeline_id as "pipelineId", file_name as "fileName", media_type as "mediaType",
      size_bytes::text as "sizeBytes", hash, expires_at as "expiresAt"
    from map_downloads where pipeline_id = ${pipelineId} and file_name = ${fileName}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { ...row, sizeBytes: Number(row.sizeBytes) };
}

export async function findExpiredDownloads(
  db: Db,
  now: Date,
  limit: number,
): Promise<readonly Pick<DownloadRow, "pipelineId" | "fileName">[]> {
  const { rows } = await sql<Pick<DownloadRow, "pipelineId" | "fileName">>`
    select pipeline_id as "pipelineId", file_name as "fileName" from map_downloads
    where expires_at <= ${now} order by expires_at limit ${limit}`.execute(db);
  return rows;
}

export async function deleteDownload(
  db: Db,
  { pipelineId, fileName }: Pick<DownloadRow, "pipelineId" | "fileName">,
  now: Date,
): Promise<void> {
  await sql`delete from map_downloads where pipeline_id = ${pipelineId} and file_name = ${fileName}
    and expires_at <= ${now}`.execute(db);
}
