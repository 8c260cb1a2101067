import { sql } from "kysely";
import type { Db } from "../context.ts";

/** Of a dropped request, with some room. */
const EMPTY_REQUEST_BYTES = 64;

/** Bytes of the table on disk, with free room in it: an upper bound of all results, known without reading them. */
export async function pipelineTableBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ sizeBytes: number }>`
    select pg_total_relation_size('pipelines')::float8 as "sizeBytes"`.execute(db);
  return rows[0]?.sizeBytes ?? 0;
}

/**
 * Drops requests and results of ended pipelines, the oldest ends first, down to the bytes given, as they are on disk.
 * Rows stay, with how the pipelines ended.
 *
 * @returns the number of pipelines
 */
export async function dropOldResults(
  db: Db,
  {
    totalBytes,
    groupBytes,
    limit,
  }: { readonly totalBytes: number; readonly groupBytes: number; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with sized as (
      select id, group_id, finished_at, coalesce(pg_column_size(result), 0) + coalesce(pg_column_size(partial), 0)
        + pg_column_size(request) as size
      from pipelines
      where finished_at is not null
        and (result is not null or partial is not null or pg_column_size(request) > ${EMPTY_REQUEST_BYTES}::int)
    ), summed as (
      select id, finished_at, sum(size) over (order by finished_at desc, id) as of_all,
        sum(size) over (partition by group_id order by finished_at desc, id) as of_group
      from sized
    )
    update pipelines set result = null, partial = null, request = '{}'
    where id = any(array(
      select p.id from pipelines p join summed s on s.id = p.id
      where s.of_all > ${totalBytes}::float8 or s.of_group > ${groupBytes}::float8
      order by s.finished_at limit ${limit} for update of p skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
