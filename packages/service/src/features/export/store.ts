import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { ImageFileName } from "@swath/contract/features/export/contract";

/** A finished file of an export. */
export interface KeptFile {
  readonly name: ImageFileName;
  readonly sizeBytes: number;
  /** SHA-256, base64url. */
  readonly hash: string;
}

export interface KeptImage {
  readonly sceneId: string;
  /** Empty until the export is finished. */
  readonly files: readonly KeptFile[];
}

/** Promises that blobs of the export may exist until then; a run after a crash prolongs it. */
export async function insertImage(
  db: Db,
  image: { readonly pipelineId: string; readonly sceneId: string; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into image_exports (pipeline_id, scene_id, files, expires_at)
    values (${image.pipelineId}, ${image.sceneId}, '[]'::jsonb, ${image.expiresAt}::timestamptz)
    on conflict (pipeline_id) do update set scene_id = excluded.scene_id, expires_at = excluded.expires_at`.execute(db);
}

export async function finishImage(
  trx: Trx,
  pipelineId: string,
  files: readonly KeptFile[],
  expiresAt: Date,
): Promise<void> {
  await sql`
    update image_exports set files = ${JSON.stringify(files)}::jsonb, expires_at = ${expiresAt}::timestamptz
    where pipeline_id = ${pipelineId}`.execute(trx);
}

export async function readImage(db: Db, pipelineId: string): Promise<KeptImage | null> {
  const { rows } = await sql<{ scene_id: string; files: KeptFile[] }>`
    select scene_id, files from image_exports where pipeline_id = ${pipelineId}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { sceneId: row.scene_id, files: row.files };
}

export async function findExpiredImages(db: Db, now: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ pipeline_id: string }>`
    select pipeline_id from image_exports where expires_at < ${now}::timestamptz
    order by expires_at limit ${limit}::integer`.execute(db);
  return rows.map((row) => row.pipeline_id);
}

/** Leaves one alone whose time was prolonged meanwhile. */
export async function deleteImage(db: Db, pipelineId: string, now: Date): Promise<void> {
  await sql`
    delete from image_exports where pipeline_id = ${pipelineId} and expires_at < ${now}::timestamptz`.execute(db);
}

/** Keys `exports/<pipeline>/<file>` of exports that have a row. */
export async function findNamedExports(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select a.key from unnest(${[...keys]}::text[]) as a (key)
    join image_exports e on e.pipeline_id = split_part(a.key, '/', 2)`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
