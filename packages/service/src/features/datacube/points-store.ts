import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../platform/context.ts";

/** Datapoints of one series, in the order of area, period and version, the newest version first. */
export interface PointsCondition {
  readonly seriesId: number;
  /** Null for all areas. */
  readonly aoiKeys: readonly number[] | null;
  /** Datapoints that do not end before. */
  readonly from: Date | null;
  /** Datapoints that do not start after. */
  readonly to: Date | null;
  /** Of each datapoint the newest version, all versions, or the listed ones. */
  readonly version: "all" | "latest" | readonly string[];
  /** Datapoints first seen later do not exist. */
  readonly asOf: Date;
  readonly seenFrom: Date | null;
  readonly seenTo: Date | null;
}

/** Where a page ends. */
export interface PointPosition {
  readonly aoiKey: number;
  readonly start: Date;
  readonly end: Date;
  readonly version: string;
}

export interface StoredPoint extends PointPosition {
  readonly aoiId: string;
  readonly firstSeen: Date;
  readonly value: number;
  readonly confidence: number | null;
  readonly cloudCover: number | null;
  readonly sceneId: string | null;
  readonly mapId: string | null;
  /** JSON text; null unless asked for. */
  readonly provenance: string | null;
}

/** Datapoints that exist as of the moment. */
function existing({ seriesId, aoiKeys, from, to, version, asOf }: PointsCondition): RawBuilder<unknown> {
  const keys = aoiKeys === null ? null : [...aoiKeys];
  return sql`
    select ${version === "latest" ? sql`distinct on (p.aoi_key, p.start_at, p.end_at)` : sql``} p.*, b.first_seen
    from datacube_points p join datacube_batches b on b.batch_id = p.batch_id
    where p.series_id = ${seriesId} and b.first_seen <= ${asOf}::timestamptz
      and (${keys}::int[] is null or p.aoi_key = any(${keys}::int[]))
      and (${from}::timestamptz is null or p.end_at >= ${from}::timestamptz)
      and (${to}::timestamptz is null or p.start_at <= ${to}::timestamptz)
      ${typeof version === "string" ? sql`` : sql`and p.version = any(${[...version]}::text[])`}`;
}

const ORDER = sql`p.aoi_key, p.start_at, p.end_at, p.version desc`;

function seenWithin({ seenFrom, seenTo }: PointsCondition): RawBuilder<unknown> {
  return sql`(${seenFrom}::timestamptz is null or e.first_seen >= ${seenFrom}::timestamptz)
    and (${seenTo}::timestamptz is null or e.first_seen <= ${seenTo}::timestamptz)`;
}

function after(position: PointPosition | null, isEveryVersion: boolean): RawBuilder<unknown> {
  if (position === null) return sql``;
  const { aoiKey, start, end, version } = position;
  const place = sql`(${aoiKey}::int, ${start}::timestamptz, ${end}::timestamptz)`;
  if (!isEveryVersion) return sql`and (p.aoi_key, p.start_at, p.end_at) > ${place}`;
  return sql`
    and (p.aoi_key, p.start_at, p.end_at) >= ${place}
    and ((p.aoi_key, p.start_at, p.end_at) > ${place} or p.version < ${version})`;
}

export async function readPoints(
  db: Db,
  condition: PointsCondition,
  {
    position,
    limit,
    withProvenance,
  }: { readonly position: PointPosition | null; readonly limit: number; readonly withProvenance: boolean },
): Promise<readonly StoredPoint[]> {
  const { rows } = await sql<StoredPoint>`
    select e.aoi_key as "aoiKey", a.aoi_id as "aoiId", e.start_at as start, e.end_at as end, e.version,
      coalesce(e.first_seen, ${condition.asOf}::timestamptz) as "firstSeen", e.value, e.confidence, e.cloud_cover as "cloudCover", e.scene_id as "sceneId",
      e.map_id as "mapId", case when ${withProvenance} then e.provenance end as provenance
    from (
      ${existing(condition)} ${after(position, condition.version !== "latest")}
      order by ${ORDER}
    ) e
    join datacube_aois a on a.aoi_key = e.aoi_key
    where ${seenWithin(condition)}
    order by e.aoi_key, e.start_at, e.end_at, e.version desc
    limit ${limit}`.execute(db);
  return rows;
}

export interface Aggregation {
  readonly interval: "day" | "week" | "month";
  readonly statistic: "count" | "max" | "mean" | "median" | "min" | "sum";
  readonly by: "all" | "aoi";
}

export interface AggregatedPoint {
  /** 0 for all areas. */
  readonly aoiKey: number;
  readonly aoiId: string | null;
  readonly start: Date;
  readonly end: Date;
  readonly firstSeen: Date;
  readonly value: number;
  readonly count: number;
}

const STATISTICS: Readonly<Record<Aggregation["statistic"], RawBuilder<number>>> = {
  count: sql`count(*)::float8`,
  max: sql`max(e.value)`,
  mean: sql`avg(e.value)`,
  median: sql`percentile_cont(0.5) within group (order by e.value)`,
  min: sql`min(e.value)`,
  sum: sql`sum(e.value)`,
};

/** Datapoints of one series by intervals of UTC in which they start. */
export async function readAggregates(
  db: Db,
  condition: PointsCondition,
  { interval, statistic, by }: Aggregation,
  { position, limit }: { readonly position: PointPosition | null; readonly limit: number },
): Promise<readonly AggregatedPoint[]> {
  const { rows } = await sql<AggregatedPoint>`
    select g.aoi_key as "aoiKey", a.aoi_id as "aoiId", g.start, g.start_next as "end", g.first_seen as "firstSeen",
      g.value, g.count
    from (
      select case when ${by === "all"} then 0 else e.aoi_key end as aoi_key,
        date_trunc(${interval}, e.start_at, 'UTC') as start,
        (date_trunc(${interval}, e.start_at at time zone 'UTC') + ${`1 ${interval}`}::interval) at time zone 'UTC'
          as start_next,
        max(e.first_seen) as first_seen, ${STATISTICS[statistic]} as value, count(*)::int as count
      from (${existing(condition)} order by ${ORDER}) e
      where ${seenWithin(condition)}
        ${position === null || by === "all" ? sql`` : sql`and e.aoi_key >= ${position.aoiKey}`}
      group by 1, 2, 3
    ) g
    left join datacube_aois a on a.aoi_key = g.aoi_key
    ${position === null ? sql`` : sql`where (g.aoi_key, g.start) > (${position.aoiKey}::int, ${position.start}::timestamptz)`}
    order by g.aoi_key, g.start
    limit ${limit}`.execute(db);
  return rows;
}
