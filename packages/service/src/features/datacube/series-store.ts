import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** A series with the counts of its visible datapoints. */
export interface SeriesRow {
  readonly seriesId: number;
  readonly project: string;
  readonly algorithm: string;
  readonly source: string;
  readonly unit: string;
  readonly description: string;
  readonly cadence: string;
  readonly datapointCount: number;
  readonly aoiCount: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly lastFirstSeen: Date | null;
}

export async function readSeriesOf(db: Db, projects: readonly string[]): Promise<readonly SeriesRow[]> {
  const { rows } = await sql<SeriesRow>`
    select series_id as "seriesId", project, algorithm, source, unit, description, cadence,
      datapoint_count as "datapointCount", aoi_count as "aoiCount", start_at as "startAt", end_at as "endAt",
      last_first_seen as "lastFirstSeen"
    from datacube_series where project = any(${[...projects]}::text[])
    order by series_id`.execute(db);
  return rows;
}

/** The newest versions of each series, newest first. */
export async function readVersions(
  db: Db,
  seriesIds: readonly number[],
  limit: number,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { rows } = await sql<{ seriesId: number; versions: string[] }>`
    select s.id as "seriesId", array(
      select v.version from datacube_series_versions v where v.series_id = s.id
      order by v.version desc limit ${limit}) as versions
    from unnest(${[...seriesIds]}::int[]) as s (id)`.execute(db);
  return new Map(rows.map(({ seriesId, versions }) => [seriesId, versions]));
}
