import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../../platform/context.ts";
import { sourceSql, type BrowseScope } from "./browse-store.ts";

/** Names of the aggregation extension of STAC, with the type of their values or of the keys of their buckets. */
export const AGGREGATIONS = {
  total_count: "integer",
  datetime_min: "datetime",
  datetime_max: "datetime",
  collection_frequency: "string",
  platform_frequency: "string",
  cloud_cover_frequency: "numeric",
  datetime_frequency: "datetime",
} as const;

export type Aggregation = keyof typeof AGGREGATIONS;

/** Buckets of an aggregation; the scenes of others are its overflow. */
const MAX_BUCKETS = 1_000;

/** A bucket, or the value of an aggregation without buckets. */
export interface AggregationRow {
  readonly name: Aggregation;
  /** Null for a value. */
  readonly key: string | null;
  /** The number of scenes, or an instant in milliseconds since 1970; null where no scene has one. */
  readonly value: number | null;
  /** Scenes in all buckets of the aggregation, also those beyond the last row; null for a value. */
  readonly total: number | null;
}

/** The wanted aggregations of a selection of keys, by one statement; the largest buckets first. */
export async function readAggregations(
  db: Db,
  scope: BrowseScope,
  keys: RawBuilder<unknown>,
  wanted: readonly Aggregation[],
): Promise<readonly AggregationRow[]> {
  const names = [...wanted];
  const { rows } = await sql<AggregationRow>`
    with chosen (scene_key) as materialized (${keys}),
    selected as materialized (
      select s.scene_key, s.acquired_at, c.name as collection
      from ${sourceSql(scope)} join chosen on chosen.scene_key = s.scene_key
    ),
    keyed (name, key) as (
      select 'collection_frequency', collection from selected
      where 'collection_frequency' = any(${names}::text[])
      union all
      select 'datetime_frequency',
        to_char(date_trunc('month', acquired_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      from selected
      where 'datetime_frequency' = any(${names}::text[])
      union all
      select 'platform_frequency', d.document ->> 'satellite'
      from selected join scene_documents d on d.scene_key = selected.scene_key
      where 'platform_frequency' = any(${names}::text[])
      union all
      -- Ten buckets of ten percent; 100 % belongs to the last.
      select 'cloud_cover_frequency',
        case
          when (d.document ->> 'cloudCover')::numeric >= 1 then '90'
          else (10 * floor(10 * (d.document ->> 'cloudCover')::numeric))::integer::text
        end
      from selected join scene_documents d on d.scene_key = selected.scene_key
      where 'cloud_cover_frequency' = any(${names}::text[])
    ),
    buckets as (
      select name, key, count(*) as scenes, sum(count(*)) over (partition by name) as total,
        row_number() over (partition by name order by count(*) desc, key collate "C") as place
      from keyed
      where key is not null
      group by name, key
    )
    select 'total_count' as name, null::text as key, count(*)::double precision as value,
      null::double precision as total
    from selected
    union all
    select 'datetime_min', null, extract(epoch from min(acquired_at))::double precision * 1000, null from selected
    union all
    select 'datetime_max', null, extract(epoch from max(acquired_at))::double precision * 1000, null from selected
    union all
    select name, key, scenes::double precision, total::double precision from buckets
    where place <= ${MAX_BUCKETS}::bigint
  `.execute(db);
  return rows.filter(({ name }) => wanted.includes(name));
}
