import type { Bounds } from "@swath/kernel/geometry/geojson";
import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { FeatureRow } from "./feature-document.ts";
import { type AccessPath, accessSql } from "./access-path.ts";
import type { PagePosition } from "./cursor.ts";
import { type Condition, fieldSql, querySql } from "./query-sql.ts";
import type { QueryField, QueryNode } from "@swath/kernel/query/ast";
import { behindSql, orderSql, type SortField, type SortValues, sortValuesSql } from "./sort-order.ts";

export interface StoredRow {
  readonly feature_key: number;
  readonly feature_id: string;
  readonly properties: Readonly<Record<string, unknown>> & { readonly collection: string };
  /** JSON text; null without geometry, and where it was not asked for. */
  readonly geometry: string | null;
}

function boxText(bbox: Bounds | null): string | null {
  return bbox === null ? null : `(${bbox[0]},${bbox[1]}),(${bbox[2]},${bbox[3]})`;
}

/** Adds features that are not there yet, and answers those. Their ids must differ. */
export async function insertFeatures(
  db: Trx,
  rows: readonly FeatureRow[],
): Promise<readonly { readonly feature_key: number; readonly feature_id: string }[]> {
  // Documents travel as one JSON array: the driver would escape each of them as an element of an array once more.
  const { rows: inserted } = await sql<{ feature_key: number; feature_id: string }>`
    insert into features (feature_id, collection, properties, geometry, bbox)
    select i.feature_id, i.properties ->> 'collection', i.properties, nullif(i.geometry::text, 'null'), i.bbox
    from rows from (
      unnest(${rows.map(({ featureId }) => featureId)}::text[]),
      jsonb_array_elements(${jsonArray(rows.map(({ properties }) => properties))}::jsonb),
      json_array_elements(${jsonArray(rows.map(({ geometry }) => geometry ?? "null"))}::json),
      unnest(${boxArray(rows)}::box[])
    ) as i (feature_id, properties, geometry, bbox)
    on conflict on constraint features_feature_id_unique do nothing
    returning feature_key, feature_id
  `.execute(db);
  return inserted;
}

function jsonArray(documents: readonly string[]): string {
  return `[${documents.join(",")}]`;
}

/** Boxes are the one type whose arrays are separated by semicolons, which the driver does not know. */
function boxArray(rows: readonly FeatureRow[]): string {
  return `{${rows.map(({ bbox }) => boxText(bbox) ?? "null").join(";")}}`;
}

/** Adds rows to the index of values, sorted so that neighbours are written together. */
export async function insertValues(db: Trx, entries: readonly string[], featureKeys: readonly number[]): Promise<void> {
  await sql`
    insert into feature_values (entry, feature_key)
    select i.entry, i.feature_key
    from unnest(${entries}::text[], ${featureKeys}::bigint[]) as i (entry, feature_key)
    order by i.entry collate "C"
  `.execute(db);
}

export async function findFeature(db: Db, featureId: string): Promise<StoredRow | null> {
  const { rows } = await sql<StoredRow>`
    select feature_key, feature_id, properties, geometry from features where feature_id = ${featureId}
  `.execute(db);
  return rows[0] ?? null;
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockFeature(db: Trx, featureId: string): Promise<StoredRow | null> {
  const { rows } = await sql<StoredRow>`
    select feature_key, feature_id, properties, geometry from features where feature_id = ${featureId} for update
  `.execute(db);
  return rows[0] ?? null;
}

export async function deleteFeature(db: Trx, featureKey: number): Promise<void> {
  await sql`delete from features where feature_key = ${featureKey}`.execute(db);
}

export async function deleteValues(db: Trx, entries: readonly string[], featureKey: number): Promise<void> {
  await sql`
    delete from feature_values where entry = any(${entries}::text[]) and feature_key = ${featureKey}
  `.execute(db);
}

/** How many features each way leads to, counted up to its limit. */
export async function countAccess(
  db: Db,
  ways: readonly { readonly path: AccessPath; readonly limit: number }[],
): Promise<readonly number[]> {
  const counts = ways.map(
    ({ path, limit }) => sql`(select count(*)::integer from (${accessSql(path)} limit ${limit}) as way)`,
  );
  const { rows } = await sql<{ counts: readonly number[] }>`select array[${sql.join(counts)}] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/** Which rows a query reads, before the order and the page. */
export interface Selection {
  readonly query: QueryNode;
  /** Set where the query asks for one collection. */
  readonly collection: string | null;
  /** Null to look at all features. */
  readonly access: AccessPath | null;
}

function selected({ query, collection, access }: Selection): Condition {
  // The planner takes conditions on documents for rare and would sort all rows instead of reading them in order until
  // there are enough. Inside a case it expects every other row to do, and leaves indexes to `access`.
  const parts: Condition[] = [sql`case when ${querySql(query)} then true else false end`];
  if (collection !== null) parts.push(sql`f.collection = ${collection}`);
  if (access !== null) parts.push(sql`f.feature_key = any(array(${accessSql(access)}))`);
  return sql`(${sql.join(parts, sql` and `)})`;
}

export interface SortedRow extends StoredRow {
  readonly sort_values: SortValues | null;
}

/** Columns of a page; the geometry is not read where nobody asks for it. */
function columns(withGeometry: boolean): RawBuilder<unknown> {
  const geometry = withGeometry ? sql`f.geometry` : sql`null::text as geometry`;
  return sql`f.feature_key, f.feature_id, f.properties, ${geometry}`;
}

/** Rows in an order, those behind a position. */
export async function readSorted(
  db: Db,
  selection: Selection,
  page: {
    readonly sort: readonly SortField[];
    readonly after: PagePosition | null;
    readonly limit: number;
    readonly withGeometry: boolean;
  },
): Promise<readonly SortedRow[]> {
  const behind = page.after === null ? sql`true` : behindSql(page.sort, page.after.values, page.after.key);
  const { rows } = await sql<SortedRow>`
    select ${columns(page.withGeometry)}, ${sortValuesSql(page.sort)} as sort_values
    from features f
    where ${selected(selection)} and ${behind}
    order by ${orderSql(page.sort)}
    limit ${page.limit}
  `.execute(db);
  return rows;
}

/** Rows in the order of creation, those behind a key. */
export async function readInOrder(
  db: Db,
  selection: Selection,
  page: { readonly after: number; readonly limit: number; readonly withGeometry: boolean },
): Promise<readonly StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${columns(page.withGeometry)}
    from features f
    where ${selected(selection)} and f.feature_key > ${page.after}
    order by f.feature_key
    limit ${page.limit}
  `.execute(db);
  return rows;
}

export interface CandidatePage {
  readonly rows: readonly StoredRow[];
  /** Key of the last candidate looked at; null when there are none behind it. */
  readonly lastCandidate: number | null;
}

/**
 * Rows in the order of creation among the first candidates of an index behind a key. The candidates come from the
 * index alone; only as many features are read as it takes.
 */
export async function readCandidates(
  db: Db,
  selection: Selection & { readonly access: AccessPath },
  page: { readonly after: number; readonly candidates: number; readonly limit: number; readonly withGeometry: boolean },
): Promise<CandidatePage> {
  const { rows } = await sql<{ n: number; last: number | null; feature_key: number | null } & StoredRow>`
    with candidates as materialized (
      select way.feature_key
      from (${accessSql(selection.access)} offset 0) as way
      where way.feature_key > ${page.after}
      order by way.feature_key
      limit ${page.candidates}
    )
    select seen.n, seen.last, found.*
    from (select count(*)::integer as n, max(feature_key) as last from candidates) as seen
    left join lateral (
      select ${columns(page.withGeometry)}
      from features f
      where f.feature_key = any(array(select feature_key from candidates))
        and ${selected({ ...selection, access: null })}
      order by f.feature_key
      limit ${page.limit}
    ) as found on true
  `.execute(db);
  const [first] = rows;
  const seenAll = first === undefined || first.n < page.candidates;
  const found = rows.filter((row) => row.feature_key !== null);
  return { rows: found, lastCandidate: seenAll ? null : first.last };
}

export async function countFeatures(db: Db, selection: Selection): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from features f where ${selected(selection)}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Values of a property, each once: numbers, texts, booleans, anything else, ascending. */
export async function distinctValues(
  db: Db,
  selection: Selection,
  field: QueryField,
  limit: number,
): Promise<unknown[]> {
  const { rows } = await sql<{ value: string }>`
    select f.value::text as value from (
      select distinct ${fieldSql(field)} as value from features f
      where ${selected(selection)} and ${fieldSql(field)} is not null
    ) as f
    order by
      case jsonb_typeof(f.value) when 'number' then 0 when 'string' then 1 when 'boolean' then 2 else 3 end,
      case when jsonb_typeof(f.value) = 'number' then f.value::numeric end,
      (f.value #>> '{}') collate "C"
    limit ${limit}
  `.execute(db);
  return rows.map(({ value }): unknown => JSON.parse(value));
}
