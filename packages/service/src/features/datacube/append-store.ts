import { sql, type RawBuilder } from "kysely";
import type { Trx } from "../../platform/context.ts";
import { timestampText } from "../../platform/postgres/timestamp-text.ts";
import type { NewDatapoint } from "./datapoint.ts";

export interface SeriesRow {
  readonly seriesId: number;
  readonly algorithm: string;
  readonly source: string;
  readonly unit: string;
}

export interface PointRow extends NewDatapoint {
  readonly seriesId: number;
  readonly aoiKey: number;
}

export async function readAoiKeys(
  trx: Trx,
  project: string,
  aoiIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ aoiId: string; aoiKey: number }>`
    select aoi_id as "aoiId", aoi_key as "aoiKey" from datacube_aois
    where project = ${project} and aoi_id = any(${[...aoiIds]}::text[])`.execute(trx);
  return new Map(rows.map(({ aoiId, aoiKey }) => [aoiId, aoiKey]));
}

export async function readSeries(trx: Trx, project: string): Promise<readonly SeriesRow[]> {
  const { rows } = await sql<SeriesRow>`
    select series_id as "seriesId", algorithm, source, unit from datacube_series
    where project = ${project}`.execute(trx);
  return rows;
}

/** Series that the project has stay as they are. */
export async function insertSeries(
  trx: Trx,
  project: string,
  series: readonly Pick<NewDatapoint, "algorithm" | "source" | "unit">[],
): Promise<void> {
  await sql`
    insert into datacube_series (project, algorithm, source, unit)
    select ${project}, n.algorithm, n.source, n.unit
    from unnest(${series.map(({ algorithm }) => algorithm)}::text[], ${series.map(({ source }) => source)}::text[],
      ${series.map(({ unit }) => unit)}::text[]) as n (algorithm, source, unit)
    on conflict (project, algorithm, source) do nothing`.execute(trx);
}

export async function insertBatch(trx: Trx): Promise<number> {
  const { rows } = await sql<{ batchId: number }>`
    insert into datacube_batches default values returning batch_id as "batchId"`.execute(trx);
  return rows[0]!.batchId;
}

function keysOf(rows: readonly PointRow[]): RawBuilder<unknown> {
  return sql`${rows.map(({ seriesId }) => seriesId)}::int[], ${rows.map(({ aoiKey }) => aoiKey)}::int[],
    ${rows.map(({ start }) => timestampText(start))}::timestamptz[],
    ${rows.map(({ end }) => timestampText(end))}::timestamptz[], ${rows.map(({ version }) => version)}::text[],
    ${rows.map(({ value }) => value)}::float8[]`;
}

/** PostgreSQL refuses a number that is no zero and too small for its type, such as 1e-300. */
function realOf(share: number | null | undefined): number | null {
  return share == null ? null : Math.fround(share);
}

/** @returns the number of datapoints whose keys were free; rivals with the same keys are waited for */
export async function insertPoints(trx: Trx, batchId: number, rows: readonly PointRow[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into datacube_points (series_id, aoi_key, batch_id, start_at, end_at, version, value, confidence,
      cloud_cover, scene_id, map_id, provenance)
    select n.series_id, n.aoi_key, ${batchId}::bigint, n.start_at, n.end_at, n.version, n.value, n.confidence,
      n.cloud_cover, n.scene_id, n.map_id, n.provenance
    from unnest(${keysOf(rows)}, ${rows.map(({ confidence }) => realOf(confidence))}::real[],
      ${rows.map(({ cloudCover }) => realOf(cloudCover))}::real[],
      ${rows.map(({ sceneId }) => sceneId ?? null)}::text[], ${rows.map(({ mapId }) => mapId ?? null)}::text[],
      ${rows.map(({ provenance }) => (provenance == null ? null : JSON.stringify(provenance)))}::text[])
      with ordinality as n (series_id, aoi_key, start_at, end_at, version, value, confidence, cloud_cover, scene_id,
        map_id, provenance, place)
    order by n.place
    on conflict (series_id, aoi_key, start_at, end_at, version) do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** The first of the datapoints whose key has another value; null when there is none. */
export async function findOtherValue(
  trx: Trx,
  rows: readonly PointRow[],
): Promise<{ readonly index: number; readonly value: number } | null> {
  const { rows: found } = await sql<{ index: number; value: number }>`
    select (n.place - 1)::int as index, p.value
    from unnest(${keysOf(rows)})
      with ordinality as n (series_id, aoi_key, start_at, end_at, version, value, place)
    join datacube_points p on p.series_id = n.series_id and p.aoi_key = n.aoi_key and p.start_at = n.start_at
      and p.end_at = n.end_at and p.version = n.version
    where p.value <> n.value
    order by n.place limit 1`.execute(trx);
  return found[0] ?? null;
}
