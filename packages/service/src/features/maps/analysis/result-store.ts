import type { Parameters } from "@swath/maps/analysis/block";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { sql } from "kysely";
import type { Db } from "../../../platform/context.ts";

/** What identifies a result to people; its id is the hash of more. */
export interface ResultInputs {
  readonly resultId: string;
  readonly mapType: string;
  readonly algoVersion: number;
  readonly sceneIds: readonly string[];
  readonly parameters: Parameters;
}

/** A finished result. */
export interface ResultRow {
  readonly resultId: string;
  /** One band for each layer. */
  readonly raster: StoredRaster;
  /** Blob of the objects; null when the analysis finds none. */
  readonly objectsKey: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Takes the work on a result, when nobody has it whose lease is good; whether it was taken. */
export async function claimResult(
  db: Db,
  { resultId, mapType, algoVersion, sceneIds, parameters }: ResultInputs,
  owner: string,
  leaseMs: number,
  createdAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into map_results
      (result_id, map_type, algo_version, scene_ids, parameters, owner, lease_until, created_at)
    values (${resultId}, ${mapType}, ${algoVersion}, ${[...sceneIds]}::text[], ${JSON.stringify(parameters)}::text::jsonb,
      ${owner}, now() + ${leaseMs} * interval '1 millisecond', ${createdAt})
    on conflict (result_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
      where map_results.finished_at is null and map_results.lease_until < now()
    returning result_id`.execute(db);
  return rows.length > 0;
}

/** Whether the owner still has the work; its lease is longer then. */
export async function renewResult(db: Db, resultId: string, owner: string, leaseMs: number): Promise<boolean> {
  const { rows } = await sql`
    update map_results set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where result_id = ${resultId} and owner = ${owner} and finished_at is null
    returning result_id`.execute(db);
  return rows.length > 0;
}

/** Finishes a result; false when somebody else has taken the work over. */
export async function finishResult(db: Db, row: ResultRow, owner: string, finishedAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update map_results set raster = ${JSON.stringify(row.raster)}::text::jsonb, objects_key = ${row.objectsKey},
      metadata = ${JSON.stringify(row.metadata)}::text::jsonb, finished_at = ${finishedAt}
    where result_id = ${row.resultId} and owner = ${owner} and finished_at is null
    returning result_id`.execute(db);
  return rows.length > 0;
}

/** Gives the work up, so that whoever waits can take it at once. */
export async function releaseResult(db: Db, resultId: string, owner: string): Promise<void> {
  await sql`
    delete from map_results
    where result_id = ${resultId} and owner = ${owner} and finished_at is null`.execute(db);
}

/** Takes unfinished results whose lease ended long ago, so that nobody else does; their ids. */
export async function claimAbandoned(
  db: Db,
  owner: string,
  leaseMs: number,
  abandonedMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly resultId: string }>`
    update map_results set owner = ${owner}, lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where finished_at is null and result_id in (
      select result_id from map_results
      where finished_at is null and lease_until < now() - ${abandonedMs} * interval '1 millisecond'
      order by lease_until limit ${limit} for update skip locked)
    returning result_id as "resultId"`.execute(db);
  return rows.map(({ resultId }) => resultId);
}

/** The result when it is finished, else null. */
export async function readResult(db: Db, resultId: string): Promise<ResultRow | null> {
  const { rows } = await sql<{ [Name in keyof ResultRow]: ResultRow[Name] | null } & Pick<ResultRow, "resultId">>`
    select result_id as "resultId", raster, objects_key as "objectsKey", metadata
    from map_results where result_id = ${resultId} and finished_at is not null`.execute(db);
  const row = rows[0];
  if (row === undefined || row.raster === null || row.metadata === null) return null;
  const { raster, metadata } = row;
  return { resultId: row.resultId, raster, objectsKey: row.objectsKey, metadata };
}
