import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../../platform/context.ts";
import { sourceSql, type BrowseScope } from "./browse-store.ts";
import { piece } from "./piece.ts";

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

/** SQL of a value over `selected`, the scenes. */
const VALUES: Readonly<Partial<Record<Aggregation, RawBuilder<unknown>>>> = {
  total_count: piece`count(*)::double precision`,
  datetime_min: piece`extract(epoch from min(selected.acquired_at))::double precision * 1000`,
  datetime_max: piece`extract(epoch from max(selected.acquired_at))::double precision * 1000`,
};

/** SQL of the key of the bucket of a scene; null puts it into none. */
const KEYS: Readonly<Partial<Record<Aggregation, RawBuilder<unknown>>>> = {
  collection_frequency: piece`selected.name`,
  platform_frequency: piece`d.document ->> 'satellite'`,
  // Ten buckets of ten percent; 100 % belongs to the last.
  cloud_cover_frequency: piece`
    case
      when (d.document ->> 'cloudCover')::numeric >= 1 then '90'
      else (10 * floor(10 * (d.document ->> 'cloudCover')::numeric))::integer::text
    end
  `,
  datetime_frequency: piece`
    to_char(date_trunc('month', selected.acquired_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  `,
};

function valueSql(name: Aggregation, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return piece`
    (select ${name}::text as name, null::text as key, ${value} as value, null::double precision as total from selected)
  `;
}

/** The largest buckets. */
function bucketsSql(name: Aggregation, key: RawBuilder<unknown>): RawBuilder<unknown> {
  return piece`
    (
      select ${name}::text as name, key, count(*)::double precision as value,
        (sum(count(*)) over ())::double precision as total
      from (
        select ${key} as key from selected join scene_documents d on d.scene_key = selected.scene_key
      ) as keyed
      where key is not null
      group by key
      order by count(*) desc, key collate "C"
      limit ${MAX_BUCKETS}::integer
    )
  `;
}

/** All aggregations of a selection of keys, by one statement; the largest buckets first. */
export async function readAggregations(
  db: Db,
  scope: BrowseScope,
  keys: RawBuilder<unknown>,
  wanted: readonly Aggregation[],
): Promise<readonly AggregationRow[]> {
  const parts = wanted.flatMap((name) => {
    const [value, key] = [VALUES[name], KEYS[name]];
    if (value !== undefined) return [valueSql(name, value)];
    return key === undefined ? [] : [bucketsSql(name, key)];
  });
  if (parts.length === 0) return [];
  const { rows } = await sql<AggregationRow>`
    with chosen (scene_key) as materialized (${keys}),
    selected as materialized (
      select s.scene_key, s.acquired_at, c.name
      from ${sourceSql(scope)} join chosen on chosen.scene_key = s.scene_key
    )
    ${piece.join(parts, piece` union all `)}
  `.execute(db);
  return rows;
}
