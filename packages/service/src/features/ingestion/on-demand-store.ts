import { decodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** Who has not been seen for so long does not wait any more. */
const WAITER_LIFETIME_S = 60;

export interface Ingestion {
  readonly pipelineId: string;
  /** Hash of what the pipeline fetches. */
  readonly plan: string;
  /** Null when the pipeline has been forgotten or never was. */
  readonly status: PipelineStatus | null;
}

/** The latest ingestion of a scene, locked until the transaction ends, whether or not there ever was one. */
export async function lockIngestion(trx: Trx, targetId: string): Promise<Ingestion> {
  // An update that changes nothing locks the row, old or new, and answers it as it is then.
  const { rows } = await sql<Omit<Ingestion, "status">>`
    insert into ingestions (target_id, pipeline_id, plan) values (${targetId}, '', '')
    on conflict (target_id) do update set target_id = excluded.target_id
    returning pipeline_id as "pipelineId", plan`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Error(`the ingestion of ${targetId} could not be locked`);
  // After the lock: its former holder may have begun the pipeline that counts.
  const found = await sql<{ status: PipelineStatus }>`
    select status from pipelines where id = ${row.pipelineId}`.execute(trx);
  return { ...row, status: found.rows[0]?.status ?? null };
}

export async function writeIngestion(trx: Trx, targetId: string, pipelineId: string, plan: string): Promise<void> {
  await sql`
    update ingestions set pipeline_id = ${pipelineId}, plan = ${plan}, updated_at = now()
    where target_id = ${targetId}`.execute(trx);
}

/** Says that somebody waits for a scene, or still does. */
export async function writeWaiter(db: Db, waiterId: string, targetId: string): Promise<void> {
  await sql`
    insert into ingestion_waiters (waiter_id, target_id) values (${waiterId}, ${targetId})
    on conflict (waiter_id) do update set seen_at = now()`.execute(db);
}

export async function deleteWaiter(db: Db, waiterId: string): Promise<void> {
  await sql`delete from ingestion_waiters where waiter_id = ${waiterId}`.execute(db);
}

/** Whether anybody waits for a scene. */
export async function hasWaiters(db: Db, targetId: string): Promise<boolean> {
  const { rows } = await sql<{ waited: boolean }>`
    select exists (
      select from ingestion_waiters
      where target_id = ${targetId} and seen_at > now() - make_interval(secs => ${WAITER_LIFETIME_S})
    ) as waited`.execute(db);
  return rows[0]?.waited === true;
}

/** A finished raster, as JSON. */
export interface Part<Content> {
  readonly raster: number;
  readonly part: Content;
  readonly keys: readonly string[];
}

export async function insertPart(
  db: Db,
  targetId: string,
  plan: string,
  { raster, part, keys }: Part<object>,
): Promise<void> {
  await sql`
    insert into ingestion_parts (target_id, plan, raster, part, keys)
    values (${targetId}, ${plan}, ${raster}, ${JSON.stringify(part)}::text::jsonb, ${[...keys]}::text[])
    on conflict (target_id, plan, raster) do update
      set part = excluded.part, keys = excluded.keys, created_at = now()`.execute(db);
}

/** Finished rasters of a scene by plan. The content is what `insertPart` of the same release wrote. */
export async function readParts<Content>(
  db: Db,
  targetId: string,
): Promise<readonly (Part<Content> & { readonly plan: string })[]> {
  const { rows } = await sql<Part<Content> & { readonly plan: string }>`
    select plan, raster, part, keys from ingestion_parts where target_id = ${targetId} order by plan, raster`.execute(
    db,
  );
  return rows;
}

export async function deleteParts(db: Db, targetId: string): Promise<void> {
  await sql`delete from ingestion_parts where target_id = ${targetId}`.execute(db);
}

/** Remembers blobs to be removed once nobody can be reading them any more. */
export async function insertRetired(trx: Trx, keys: readonly string[], removeAt: Date): Promise<void> {
  await sql`
    insert into retired_blobs (key, remove_at) select key, ${removeAt} from unnest(${[...keys]}::text[]) as k (key)
    on conflict (key) do nothing`.execute(trx);
}

export async function findRetired(db: Db, now: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from retired_blobs where remove_at <= ${now} order by remove_at limit ${limit}`.execute(db);
  return rows.map(({ key }) => key);
}

/** Which of the blobs are going to be removed anyway. */
export async function findRetiredAmong(db: Db, prefix: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from retired_blobs where starts_with(key, ${prefix})`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

export async function deleteRetired(db: Db, key: string): Promise<void> {
  await sql`delete from retired_blobs where key = ${key}`.execute(db);
}

/** Scenes with finished rasters that nobody has gone on with since a while, at most `limit`. */
export async function findAbandoned(db: Db, olderThanS: number, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ targetId: string }>`
    select p.target_id as "targetId"
    from ingestion_parts p
    left join ingestions i on i.target_id = p.target_id
    left join pipelines l on l.id = i.pipeline_id and l.status in ('NEW', 'PROCESSING')
    where l.id is null
    group by p.target_id
    having max(p.created_at) < now() - make_interval(secs => ${olderThanS})
    limit ${limit}`.execute(db);
  return rows.map(({ targetId }) => targetId);
}

/** Forgets waiters that are gone and ingestions that ended long ago. */
export async function deleteOld(db: Db, olderThanS: number, limit: number): Promise<void> {
  await sql`
    delete from ingestion_waiters where seen_at < now() - make_interval(secs => ${WAITER_LIFETIME_S})`.execute(db);
  await sql`
    delete from ingestions where target_id in (
      select i.target_id from ingestions i
      left join pipelines l on l.id = i.pipeline_id and l.status in ('NEW', 'PROCESSING')
      where i.updated_at < now() - make_interval(secs => ${olderThanS}) and l.id is null
      limit ${limit} for update of i skip locked
    )`.execute(db);
}

/** Clipped children of a scene whose pixels are in the store, smallest first. */
export async function findChildren(
  db: Db,
  parentId: string,
): Promise<readonly { readonly sceneId: string; readonly footprint: MultiPolygon }[]> {
  const { rows } = await sql<{ sceneId: string; footprint: Uint8Array }>`
    select scene_id as "sceneId", footprint from scenes where parent_id = ${parentId} and ingested
    order by area_km2, scene_id`.execute(db);
  return rows.map(({ sceneId, footprint }) => ({ sceneId, footprint: decodeFootprint(footprint) }));
}
