import { sql } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";
import { keepRevision } from "../keep-revision.ts";

/** A scene of an owner in a list. */
export interface OwnedRow {
  readonly scene_key: number;
  readonly footprint: Uint8Array;
  readonly owner: string | null;
  readonly audience: string | null;
  readonly revision: number;
  readonly deleted_at: Date | null;
  readonly created_at: Date;
  readonly document: unknown;
  readonly raster: unknown;
}

export interface OwnedQuery {
  readonly owner: string;
  readonly isDeleted: boolean;
  /** Deleted scenes of before can no longer be restored, and are left out. */
  readonly restorableSince: Date;
  /** Only scenes that were ingested before this one; null for the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** Scenes of an owner, newest ingest first. */
export async function listOwned(db: Db, query: OwnedQuery): Promise<readonly OwnedRow[]> {
  const { rows } = await sql<OwnedRow>`
    select s.scene_key, s.footprint, s.owner, s.audience, s.revision, s.deleted_at, d.created_at, d.document, d.raster
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.owner = ${query.owner} and s.parent_id is null
      and ${query.isDeleted ? sql`s.deleted_at > ${query.restorableSince}::timestamptz` : sql`s.deleted_at is null`}
      ${query.before === null ? sql`` : sql`and s.scene_key < ${query.before}::bigint`}
    order by s.scene_key desc
    limit ${query.limit}::integer
  `.execute(db);
  return rows;
}

/** A scene of an owner, deleted ones only while they can be restored. */
export async function findOwned(
  db: Db,
  sceneId: string,
  { owner, restorableSince }: Pick<OwnedQuery, "owner" | "restorableSince">,
): Promise<OwnedRow | null> {
  const { rows } = await sql<OwnedRow>`
    select s.scene_key, s.footprint, s.owner, s.audience, s.revision, s.deleted_at, d.created_at, d.document, d.raster
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = ${sceneId} and s.owner = ${owner} and s.parent_id is null
      and (s.deleted_at is null or s.deleted_at > ${restorableSince}::timestamptz)
  `.execute(db);
  return rows[0] ?? null;
}

export interface LockedRow extends OwnedRow {
  /** Whether it was uploaded or registered. */
  readonly uploaded: boolean;
  readonly registered: boolean;
  /** Null for scenes that are not registered. */
  readonly item: string | null;
}

/** A scene with its documents, locked until the transaction ends; null when there is none. */
export async function lockScene(trx: Trx, sceneId: string): Promise<LockedRow | null> {
  const { rows } = await sql<LockedRow>`
    select s.scene_key, s.footprint, s.owner, s.audience, s.revision, s.deleted_at, d.created_at, d.document, d.raster,
           s.registered, d.item,
           (s.content_hash is not null or s.registered) and s.parent_id is null and d.refreshed_at is null as uploaded
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = ${sceneId}
    for update of s
  `.execute(trx);
  return rows[0] ?? null;
}

export interface Revision {
  readonly acquiredAt: Date;
  readonly document: object;
  readonly raster: object | null;
}

/** Keeps the documents of a scene as those of its revision, and gives it others. */
export async function writeRevision(trx: Trx, sceneKey: number, next: Revision): Promise<void> {
  await keepRevision(trx, sceneKey);
  await sql`
    update scenes set acquired_at = ${next.acquiredAt}::timestamptz, revision = revision + 1
    where scene_key = ${sceneKey}::bigint
  `.execute(trx);
  await sql`
    update scene_documents
    set document = ${JSON.stringify(next.document)}::text::jsonb,
        raster = ${next.raster === null ? null : JSON.stringify(next.raster)}::text::jsonb
    where scene_key = ${sceneKey}::bigint
  `.execute(trx);
}

/** Deletes a scene and its cuttings, or takes the deletion back. @param deletion null takes it back */
export async function writeDeletion(
  trx: Trx,
  sceneId: string,
  deletion: { readonly deletedAt: Date; readonly purgeAt: Date } | null,
): Promise<void> {
  await sql`
    update scenes
    set deleted_at = ${deletion?.deletedAt ?? null}::timestamptz, purge_at = ${deletion?.purgeAt ?? null}::timestamptz
    where scene_id = ${sceneId} or parent_id = ${sceneId}
  `.execute(trx);
}

/** Rasters of scenes that were removed; null for scenes without pixels. */
export interface PurgedRow {
  readonly scene_id: string;
  readonly raster: unknown;
}

/**
 * Removes deleted scenes whose time has come, at most `limit`, and defers those that maps, cuttings or paid area need.
 * Answers the removed ones, and how many were looked at.
 */
export async function purgeDeleted(
  trx: Trx,
  { now, nextLook, limit }: { readonly now: Date; readonly nextLook: Date; readonly limit: number },
): Promise<{ readonly removed: readonly PurgedRow[]; readonly seen: number }> {
  const { rows: due } = await sql<{ scene_key: number; needed: boolean }>`
    select s.scene_key,
      exists (select from maps m where m.scene_id = s.scene_id)
        or exists (select from maps m where m.scene_ids @> array[s.scene_id])
        or exists (select from scenes child where child.parent_id = s.scene_id)
        or exists (select from credit_coverage c where c.scene_key = s.scene_id and c.area_cm2 > 0) as needed
    from scenes s
    where s.purge_at <= ${now}::timestamptz
    order by s.purge_at
    limit ${limit}::integer
    for update of s skip locked
  `.execute(trx);
  const keysOf = (needed: boolean): number[] => due.filter((row) => row.needed === needed).map((row) => row.scene_key);
  await sql`
    update scenes set purge_at = ${nextLook}::timestamptz where scene_key = any(${keysOf(true)}::bigint[])
  `.execute(trx);
  const { rows: removed } = await sql<PurgedRow>`
    with removed as (
      select s.scene_key, s.scene_id, d.raster
      from scenes s
      join scene_documents d on d.scene_key = s.scene_key
      where s.scene_key = any(${keysOf(false)}::bigint[])
    ),
    deleted as (delete from scenes s using removed r where s.scene_key = r.scene_key)
    select scene_id, raster from removed
  `.execute(trx);
  return { removed, seen: due.length };
}
