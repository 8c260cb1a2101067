import { sql } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { SceneKey } from "@swath/kernel/scenes/scene-key";
import type { Db } from "../../platform/context.ts";

/** The state of the crawls of one dataset. */
export interface CrawlRow {
  readonly crawl_key: number;
  readonly settings: string;
  readonly crawl: number;
  readonly indexed_at: Date | null;
  readonly fault: string | null;
}

/** The document that an earlier crawl read at an address. */
export interface KnownRow {
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** JSON. */
  readonly links: string;
  readonly scene_id: string | null;
}

/** A document as a crawl read it. */
export interface ReadRow {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** JSON. */
  readonly links: string;
  readonly scene: {
    readonly sceneId: string;
    readonly acquiredAt: Date;
    readonly bbox: Bounds;
    /** JSON. */
    readonly item: string;
  } | null;
}

/** Null before the first crawl of the dataset. */
export async function readCrawl(db: Db, provider: string, dataset: string): Promise<CrawlRow | null> {
  const { rows } = await sql<CrawlRow>`
    select crawl_key, settings, crawl, indexed_at, fault from crawls
    where provider = ${provider} and dataset = ${dataset}
  `.execute(db);
  return rows[0] ?? null;
}

/** Makes the crawls of a dataset, due at once; does nothing when a rival has made them. */
export async function insertCrawl(
  db: Db,
  row: { readonly provider: string; readonly dataset: string; readonly settings: string; readonly now: Date },
): Promise<void> {
  await sql`
    insert into crawls (provider, dataset, settings, due_at)
    values (${row.provider}, ${row.dataset}, ${row.settings}, ${row.now})
    on conflict on constraint crawls_name_unique do nothing
  `.execute(db);
}

/** Forgets everything that was read with other settings. */
export async function deleteCrawl(db: Db, crawlKey: number, settings: string): Promise<void> {
  await sql`delete from crawls where crawl_key = ${crawlKey} and settings <> ${settings}`.execute(db);
}

/** Forgets catalogues that no process has read since they were due so long ago: no dataset is bound to them. */
export async function deleteAbandonedCrawls(db: Db, dueBefore: Date): Promise<number> {
  const { rows } = await sql<{ crawl_key: number }>`
    delete from crawls where due_at < ${dueBefore} returning crawl_key
  `.execute(db);
  return rows.length;
}

/** Begins a crawl that is due and that no other process works on; the number of the crawl, or null. */
export async function claimCrawl(db: Db, crawlKey: number, now: Date, until: Date): Promise<number | null> {
  const { rows } = await sql<{ crawl: number }>`
    update crawls set crawl = crawl + 1, claimed_until = ${until}
    where crawl_key = ${crawlKey} and due_at <= ${now} and (claimed_until is null or claimed_until < ${now})
    returning crawl
  `.execute(db);
  return rows[0]?.crawl ?? null;
}

/** Whether the crawl is still this process's. */
export async function renewClaim(db: Db, crawlKey: number, crawl: number, until: Date): Promise<boolean> {
  const { rows } = await sql<{ crawl: number }>`
    update crawls set claimed_until = ${until} where crawl_key = ${crawlKey} and crawl = ${crawl} returning crawl
  `.execute(db);
  return rows.length > 0;
}

/** Leaves a crawl to whoever comes next. */
export async function releaseClaim(db: Db, crawlKey: number, crawl: number): Promise<void> {
  await sql`
    update crawls set claimed_until = null where crawl_key = ${crawlKey} and crawl = ${crawl}
  `.execute(db);
}

/** Ends a crawl; a null fault says that the index is whole. */
export async function endCrawl(
  db: Db,
  row: {
    readonly crawlKey: number;
    readonly crawl: number;
    readonly now: Date;
    readonly dueAt: Date;
    readonly fault: string | null;
  },
): Promise<void> {
  await sql`
    update crawls
    set claimed_until = null, due_at = ${row.dueAt}, fault = ${row.fault},
      indexed_at = case when ${row.fault}::text is null then ${row.now}::timestamptz else indexed_at end
    where crawl_key = ${row.crawlKey} and crawl = ${row.crawl}
  `.execute(db);
}

export async function readKnown(db: Db, crawlKey: number, urls: readonly string[]): Promise<readonly KnownRow[]> {
  const { rows } = await sql<KnownRow>`
    select d.url, d.etag, d.last_modified, d.links, i.scene_id
    from crawled_documents d
    left join crawled_items i on i.crawl_key = d.crawl_key and i.url = d.url
    where d.crawl_key = ${crawlKey} and d.url = any(${[...urls]}::text[])
  `.execute(db);
  return rows;
}

/** Documents that have not changed belong to this crawl too. */
export async function touchDocuments(db: Db, crawlKey: number, crawl: number, urls: readonly string[]): Promise<void> {
  await sql`
    update crawled_documents set crawl = ${crawl} where crawl_key = ${crawlKey} and url = any(${[...urls]}::text[])
  `.execute(db);
}

export async function writeDocument(db: Db, crawlKey: number, crawl: number, row: ReadRow): Promise<void> {
  await sql`
    insert into crawled_documents (crawl_key, url, crawl, etag, last_modified, links)
    values (${crawlKey}, ${row.url}, ${crawl}, ${row.etag}, ${row.lastModified}, ${row.links})
    on conflict on constraint crawled_documents_pkey do update set
      crawl = excluded.crawl, etag = excluded.etag, last_modified = excluded.last_modified, links = excluded.links
  `.execute(db);
}

export async function writeItem(
  db: Db,
  crawlKey: number,
  url: string,
  { sceneId, acquiredAt, bbox, item }: NonNullable<ReadRow["scene"]>,
): Promise<void> {
  await sql`
    insert into crawled_items (crawl_key, url, scene_id, acquired_at, bbox, item)
    values (${crawlKey}, ${url}, ${sceneId}, ${acquiredAt}, ${boxText(bbox)}::box, ${item})
    on conflict on constraint crawled_items_pkey do update set
      scene_id = excluded.scene_id, acquired_at = excluded.acquired_at, bbox = excluded.bbox, item = excluded.item
  `.execute(db);
}

/** The document is no scene any longer. */
export async function deleteItem(db: Db, crawlKey: number, url: string): Promise<void> {
  await sql`delete from crawled_items where crawl_key = ${crawlKey} and url = ${url}`.execute(db);
}

/** Removes at most so many documents that crawls before this one met last; answers how many. */
export async function deleteOlder(db: Db, crawlKey: number, crawl: number, limit: number): Promise<number> {
  const { rows } = await sql<{ url: string }>`
    delete from crawled_documents
    where crawl_key = ${crawlKey} and url in (
      select url from crawled_documents where crawl_key = ${crawlKey} and crawl < ${crawl} order by crawl limit ${limit}
    )
    returning url
  `.execute(db);
  return rows.length;
}

export async function countDocuments(db: Db, crawlKey: number): Promise<number> {
  const { rows } = await sql<{ documents: number }>`
    select count(*)::int as documents from crawled_documents where crawl_key = ${crawlKey}
  `.execute(db);
  return rows[0]?.documents ?? 0;
}

export interface ItemRow {
  readonly url: string;
  readonly scene_id: string;
  readonly acquired_at: Date;
  /** JSON. */
  readonly item: string;
}

export interface ItemQuery {
  readonly crawlKey: number;
  /** Normal form: from -180 to 180 degrees. */
  readonly boxes: readonly Bounds[];
  /** Half-open interval; null is open. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly after: SceneKey | null;
  readonly limit: number;
}

/** Items whose boxes meet one of the boxes, newest first. */
export async function findItems(db: Db, query: ItemQuery): Promise<readonly ItemRow[]> {
  // Boxes of items are unwrapped: across the antimeridian they reach beyond 180 degrees.
  const shifted = query.boxes.flatMap(([west, south, east, north]): Bounds[] => [
    [west, south, east, north],
    [west + 360, south, east + 360, north],
  ]);
  const boxes = `{${shifted.map((box) => `"${boxText(box)}"`).join(";")}}`;
  const after = query.after === null ? null : new Date(query.after.acquiredAtMs);
  const { rows } = await sql<ItemRow>`
    with found as (
      select distinct on (d.acquired_at, d.scene_id) d.url, d.scene_id, d.acquired_at
      from unnest(${boxes}::box[]) as b (bbox)
      cross join lateral (
        select c.url, c.scene_id, c.acquired_at from crawled_items c
        where c.crawl_key = ${query.crawlKey} and c.bbox && b.bbox
          and (${query.from}::timestamptz is null or c.acquired_at >= ${query.from}::timestamptz)
          and (${query.to}::timestamptz is null or c.acquired_at < ${query.to}::timestamptz)
          and (
            ${after}::timestamptz is null or c.acquired_at < ${after}::timestamptz
            or (c.acquired_at = ${after}::timestamptz and c.scene_id > ${query.after?.sceneId ?? null}::text)
          )
        order by c.acquired_at desc, c.scene_id
        limit ${query.limit}::integer
      ) d
      order by d.acquired_at desc, d.scene_id
      limit ${query.limit}::integer
    )
    select f.url, f.scene_id, f.acquired_at, c.item
    from found f
    join crawled_items c on c.crawl_key = ${query.crawlKey} and c.url = f.url
    order by f.acquired_at desc, f.scene_id
  `.execute(db);
  return rows;
}

/** Null when no document is that scene. */
export async function readItem(db: Db, crawlKey: number, sceneId: string): Promise<ItemRow | null> {
  const { rows } = await sql<ItemRow>`
    select i.url, i.scene_id, i.acquired_at, i.item
    from crawled_items i
    join crawled_documents d on d.crawl_key = i.crawl_key and d.url = i.url
    where i.crawl_key = ${crawlKey} and i.scene_id = ${sceneId}
    order by d.crawl desc, i.url
    limit 1
  `.execute(db);
  return rows[0] ?? null;
}

function boxText([west, south, east, north]: Bounds): string {
  return `(${east},${north}),(${west},${south})`;
}
