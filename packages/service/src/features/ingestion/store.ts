import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

export interface Upload {
  readonly uploadId: string;
  readonly userId: string;
  readonly groupId: string;
  readonly filename: string;
  readonly suffix: ".geotiff" | ".zip";
  readonly sizeBytes: number;
  /** Open until all bytes are there, used when nobody needs them any more, gone when they are removed. */
  readonly status: "open" | "complete" | "used" | "gone";
  /** What the bytes became; null before, and when they were refused. */
  readonly sceneId: string | null;
  readonly expiresAt: Date;
}

export async function insertUpload(db: Db, upload: Upload, createdAt: Date): Promise<void> {
  await sql`
    insert into uploads (upload_id, user_id, group_id, filename, suffix, size_bytes, status, created_at, expires_at)
    values (
      ${upload.uploadId}, ${upload.userId}, ${upload.groupId}, ${upload.filename}, ${upload.suffix},
      ${upload.sizeBytes}, ${upload.status}, ${createdAt}, ${upload.expiresAt}
    )
  `.execute(db);
}

export async function findUpload(db: Db | Trx, uploadId: string): Promise<Upload | null> {
  const { rows } = await sql<Upload>`
    select upload_id as "uploadId", user_id as "userId", group_id as "groupId", filename, suffix,
      size_bytes as "sizeBytes", status, scene_id as "sceneId", expires_at as "expiresAt"
    from uploads where upload_id = ${uploadId}
  `.execute(db);
  return rows[0] ?? null;
}

/** Uploads of a user whose bytes have not all arrived and may still do so. */
export async function countOpenUploads(db: Db, userId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from uploads where user_id = ${userId} and status = 'open' and expires_at > ${now}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Bytes of uploads that are on a disk or may still arrive. */
export interface UploadBytes {
  readonly totalBytes: number;
  /** Of one group. */
  readonly groupBytes: number;
}

/** Bytes of uploads; others who ask wait until the transaction ends, so that two do not take the same room. */
export async function lockedUploadBytes(trx: Trx, groupId: string): Promise<UploadBytes> {
  await sql`select pg_advisory_xact_lock(hashtextextended('bytes of uploads', 0))`.execute(trx);
  const { rows } = await sql<UploadBytes>`
    select coalesce(sum(size_bytes), 0)::float8 as "totalBytes",
      coalesce(sum(size_bytes) filter (where group_id = ${groupId}), 0)::float8 as "groupBytes"
    from uploads where status <> 'gone'
  `.execute(trx);
  return rows[0] ?? { totalBytes: 0, groupBytes: 0 };
}

/** Marks an open upload complete and gives it the time that complete ones are kept. */
export async function completeUpload(db: Db, uploadId: string, expiresAt: Date): Promise<void> {
  await sql`
    update uploads set status = 'complete', expires_at = ${expiresAt} where upload_id = ${uploadId} and status = 'open'
  `.execute(db);
}

/** Keeps the bytes of a complete upload from the sweep while a pipeline is going to need them. */
export async function prolongUpload(db: Db | Trx, uploadId: string, expiresAt: Date): Promise<void> {
  await sql`
    update uploads set expires_at = greatest(expires_at, ${expiresAt}) where upload_id = ${uploadId}
  `.execute(db);
}

/** Marks the bytes as no longer needed; `sceneId` is what they became, null when they were refused. */
export async function useUpload(db: Db | Trx, uploadId: string, sceneId: string | null): Promise<void> {
  await sql`
    update uploads set status = 'used', scene_id = ${sceneId} where upload_id = ${uploadId} and status = 'complete'
  `.execute(db);
}

/** At most `limit` uploads whose bytes are no longer needed but still there. */
export async function findUsedUploads(db: Db, limit: number): Promise<readonly Pick<Upload, "uploadId" | "suffix">[]> {
  const { rows } = await sql<Pick<Upload, "uploadId" | "suffix">>`
    select upload_id as "uploadId", suffix from uploads where status = 'used' limit ${limit}
  `.execute(db);
  return rows;
}

export async function forgetBytes(db: Db, uploadId: string): Promise<void> {
  await sql`update uploads set status = 'gone' where upload_id = ${uploadId} and status = 'used'`.execute(db);
}

/** At most `limit` uploads whose time is over. */
export async function findExpiredUploads(db: Db, now: Date, limit: number): Promise<readonly Upload[]> {
  const { rows } = await sql<Upload>`
    select upload_id as "uploadId", user_id as "userId", group_id as "groupId", filename, suffix,
      size_bytes as "sizeBytes", status, scene_id as "sceneId", expires_at as "expiresAt"
    from uploads where expires_at < ${now}
    order by expires_at limit ${limit}
  `.execute(db);
  return rows;
}

export async function deleteUpload(db: Db, uploadId: string): Promise<void> {
  await sql`delete from uploads where upload_id = ${uploadId}`.execute(db);
}

/**
 * Makes transactions that register the same content wait for each other: the second one sees what the first stored.
 * Held until the transaction ends.
 */
export async function lockContent(trx: Trx, contentHash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ingest ${contentHash}`}, 0))`.execute(trx);
}
