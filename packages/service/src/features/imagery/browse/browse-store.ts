import { sql, type RawBuilder } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Db } from "../../../platform/context.ts";
import { boxesText, boxText } from "../store.ts";

/** A dataset by its key, with the name that conditions on it use. */
export interface NamedKey {
  readonly datasetKey: number;
  readonly name: string;
}

/** The scenes that count, before areas and conditions. */
export interface BrowseScope {
  readonly datasets: readonly NamedKey[];
  /** Audiences whose scenes count besides public ones; null: every scene. */
  readonly audiences: readonly string[] | null;
  /** Both ends belong to the interval; null is open. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Null: all. */
  readonly sceneIds: readonly string[] | null;
}

/** The scenes `s` and their datasets `c`. */
export function sourceSql({ datasets }: BrowseScope): RawBuilder<unknown> {
  return sql`
    scenes s
    join unnest(
      ${datasets.map(({ datasetKey }) => datasetKey)}::integer[], ${datasets.map(({ name }) => name)}::text[]
    ) as c (dataset_key, name) on c.dataset_key = s.dataset_key
  `;
}

/** The test of a scope, over the rows of its source. */
export function scopeSql({ audiences, from, to, sceneIds }: BrowseScope): RawBuilder<unknown> {
  return sql`
    s.deleted_at is null
    ${audiences === null ? sql`` : sql`and (s.audience is null or s.audience = any(${[...audiences]}::text[]))`}
    ${from === null ? sql`` : sql`and s.acquired_at >= ${from}::timestamptz`}
    ${to === null ? sql`` : sql`and s.acquired_at <= ${to}::timestamptz`}
    ${sceneIds === null ? sql`` : sql`and s.scene_id = any(${[...sceneIds]}::text[])`}
  `;
}

/** Boxes as `(box and box ...)`: an index cannot use `any` of a list. */
function boxesSql(operator: "&&" | "<@", boxes: readonly Bounds[]): RawBuilder<unknown> {
  const tests = boxes.map((box) => sql`s.bbox ${sql.raw(operator)} ${boxText(box)}::box`);
  return sql`(${sql.join(tests, sql` or `)})`;
}

/** Scenes whose boxes lie inside, which needs no look at their outlines. */
export function insideSql(boxes: readonly Bounds[]): RawBuilder<unknown> {
  return boxesSql("<@", boxes);
}

export interface OutlineRow {
  readonly scene_key: number;
  readonly footprint: Uint8Array;
}

/**
 * Outlines of the scenes whose boxes meet one of the boxes, by key; those inside on demand only. A GiST index cannot use
 * a choice of boxes: each dataset and box has a lateral scan. `+ 0` keeps it from reading all scenes by key.
 */
export async function readOutlines(
  db: Db,
  scope: BrowseScope,
  { boxes, withInside, after, limit }: OutlinesQuery,
): Promise<readonly OutlineRow[]> {
  const { rows } = await sql<OutlineRow>`
    select distinct on (met.scene_key) met.scene_key, met.footprint
    from unnest(${scope.datasets.map(({ datasetKey }) => datasetKey)}::integer[]) as d (dataset_key)
    cross join unnest(${boxesText(boxes)}::box[]) as b (bbox)
    cross join lateral (
      select s.scene_key, s.footprint
      from scenes s
      where s.dataset_key = d.dataset_key and s.bbox && b.bbox and ${scopeSql(scope)}
        ${withInside ? sql`` : sql`and not ${insideSql(boxes)}`}
        and s.scene_key > ${after}::bigint
      order by s.scene_key + 0
      limit ${limit}::integer
    ) as met
    order by met.scene_key
    limit ${limit}::integer
  `.execute(db);
  return rows;
}

export interface OutlinesQuery {
  readonly boxes: readonly Bounds[];
  readonly withInside: boolean;
  /** Only larger keys. */
  readonly after: number;
  readonly limit: number;
}

export async function countSelected(db: Db, selected: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${selected}) as selected
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export interface BrowsedRow {
  readonly scene_key: number;
  readonly footprint: Uint8Array;
  readonly ingested: boolean;
  readonly owner: string | null;
  readonly document: unknown;
  /** JSON of a registered item; null for other scenes. */
  readonly item: string | null;
  /** Null without pixels in the store, and where rasters are not asked for. */
  readonly raster: unknown;
}

/** The scenes of a selection of keys, in its order. */
export async function readSelected(
  db: Db,
  selected: RawBuilder<unknown>,
  withRasters: boolean,
): Promise<readonly BrowsedRow[]> {
  const { rows } = await sql<BrowsedRow>`
    with selected (scene_key) as materialized (${selected}),
    page as (select scene_key, row_number() over () as place from selected)
    select s.scene_key, s.footprint, s.ingested, s.owner, d.document, d.item,
           case when ${withRasters}::boolean then d.raster end as raster
    from page
    join scenes s on s.scene_key = page.scene_key
    join scene_documents d on d.scene_key = page.scene_key
    order by page.place
  `.execute(db);
  return rows;
}

/** The keys of a selection, in its order. */
export async function readSelectedKeys(db: Db, selected: RawBuilder<unknown>): Promise<readonly number[]> {
  const { rows } = await sql<{ scene_key: number }>`
    with selected (scene_key) as materialized (${selected})
    select scene_key from selected
  `.execute(db);
  return rows.map(({ scene_key: key }) => key);
}

/** Names of bands, and the number of masks, of a scene with pixels in the store. */
export interface BandNamesRow {
  /** Empty for a band without a name. */
  readonly names: string[];
  readonly masks: number;
}

/** The different lists of bands of scenes whose pixels are in the store as a whole. */
export async function readBandNames(
  db: Db,
  sceneKeys: readonly number[],
  limit: number,
): Promise<readonly BandNamesRow[]> {
  const { rows } = await sql<BandNamesRow>`
    select distinct
      array(select coalesce(b -> 'names' ->> 0, '') from jsonb_array_elements(d.document -> 'bands') with ordinality as l (b, n) order by n)
        as names,
      (select count(distinct b ->> 'maskKey') from jsonb_array_elements(d.raster -> 'bands') as b)::int as masks
    from scene_documents d
    where d.scene_key = any(${sceneKeys}::bigint[]) and d.raster is not null and not d.raster ? 'tiles'
    limit ${limit}::integer
  `.execute(db);
  return rows;
}

export interface ExtentRow {
  readonly dataset_key: number;
  readonly scenes: number;
  readonly first: Date;
  readonly last: Date;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Period and box of the scenes of each dataset that has some. */
export async function readExtents(db: Db, scope: BrowseScope): Promise<readonly ExtentRow[]> {
  const { rows } = await sql<ExtentRow>`
    select s.dataset_key, count(*)::int as scenes, min(s.acquired_at) as first, max(s.acquired_at) as last,
           min((s.bbox[1])[0]) as west, min((s.bbox[1])[1]) as south,
           max((s.bbox[0])[0]) as east, max((s.bbox[0])[1]) as north
    from ${sourceSql(scope)}
    where ${scopeSql(scope)}
    group by s.dataset_key
  `.execute(db);
  return rows;
}
