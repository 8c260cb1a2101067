import { sql, type RawBuilder } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Db, Trx } from "../../platform/context.ts";
import { pixelsSql, type PixelCondition } from "./pixel-condition.ts";

/** A position in the order of answers: newest first, then by scene identifier. */
export interface Keyset {
  readonly acquiredAt: Date;
  readonly sceneId: string;
}

export interface CandidateRow {
  readonly scene_key: number;
  readonly scene_id: string;
  readonly acquired_at: Date;
  readonly footprint: Uint8Array;
  readonly ingested: boolean;
  readonly clipped: boolean;
}

export interface CandidateQuery {
  readonly datasetKeys: readonly number[];
  /** Unwrapped boxes; a scene that two of them meet comes twice. */
  readonly boxes: readonly Bounds[];
  /** Both ends belong to the window; null is open. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly after: Keyset | null;
  readonly minAreaKm2: number;
  readonly pixels: PixelCondition;
  /** Whether scenes that are cut from bigger ones count. */
  readonly withClipped: boolean;
  /** Audiences whose scenes count besides public ones; null: every scene. */
  readonly audiences: readonly string[] | null;
  readonly limit: number;
}

export function boxText([west, south, east, north]: Bounds): string {
  return `(${east},${north}),(${west},${south})`;
}

/** Text of a `box[]`, whose members are parted by semicolons. */
export function boxesText(boxes: readonly Bounds[]): string {
  return `{${boxes.map((box) => `"${boxText(box)}"`).join(";")}}`;
}

/**
 * Scenes whose boxes meet one of the boxes, newest first. A GiST index cannot use `= any`, hence one lateral scan per
 * dataset and box; each stops at `limit` rows, so that documents and exact geometry are touched for few. Datasets
 * without any scene of the least area are not scanned at all: a large extent and a dataset of small scenes is a
 * common search without an answer. The sum with 0 keeps the planner from taking the area index for the scan itself.
 */
export async function findCandidates(db: Db, query: CandidateQuery): Promise<readonly CandidateRow[]> {
  const after = query.after;
  const { rows } = await sql<CandidateRow>`
    with d as materialized (
      select dataset_key
      from unnest(${query.datasetKeys}::integer[]) as named (dataset_key)
      ${
        query.minAreaKm2 > 0
          ? sql`
              where exists (
                select from scenes large
                where large.dataset_key = named.dataset_key
                  and large.area_km2 >= ${query.minAreaKm2}::double precision
              )
            `
          : sql``
      }
    )
    select c.scene_key, c.scene_id, c.acquired_at, c.footprint, c.ingested, c.clipped
    from d
    cross join unnest(${boxesText(query.boxes)}::box[]) as b (bbox)
    cross join lateral (
      select s.scene_key, s.scene_id, s.acquired_at, s.footprint, s.ingested, s.parent_id is not null as clipped
      from scenes s
      where s.dataset_key = d.dataset_key
        and s.bbox && b.bbox
        ${query.from === null ? sql`` : sql`and s.acquired_at >= ${query.from}::timestamptz`}
        ${query.to === null ? sql`` : sql`and s.acquired_at <= ${query.to}::timestamptz`}
        ${
          after === null
            ? sql``
            : sql`
                and s.acquired_at <= ${after.acquiredAt}::timestamptz
                and (s.acquired_at < ${after.acquiredAt}::timestamptz or s.scene_id > ${after.sceneId})
              `
        }
        ${query.minAreaKm2 > 0 ? sql`and s.area_km2 + 0 >= ${query.minAreaKm2}::double precision` : sql``}
        and s.deleted_at is null
        ${pixelsSql(query.pixels)}
        ${query.withClipped ? sql`` : sql`and s.parent_id is null`}
        ${query.audiences === null ? sql`` : sql`and (s.audience is null or s.audience = any(${[...query.audiences]}::text[]))`}
      order by s.acquired_at desc, s.scene_id
      limit ${query.limit}::integer
    ) c
    order by c.acquired_at desc, c.scene_id
    limit ${query.limit}::integer
  `.execute(db);
  return rows;
}

/** Keys of the datasets that have scenes. */
export async function readDatasetKeys(
  db: Db,
  names: readonly { readonly provider: string; readonly dataset: string }[],
): Promise<readonly { readonly dataset_key: number; readonly provider: string; readonly dataset: string }[]> {
  const { rows } = await sql<{ dataset_key: number; provider: string; dataset: string }>`
    select d.dataset_key, d.provider, d.dataset
    from unnest(${names.map(({ provider }) => provider)}::text[], ${names.map(({ dataset }) => dataset)}::text[])
      as n (provider, dataset)
    join scene_datasets d on d.provider = n.provider and d.dataset = n.dataset
  `.execute(db);
  return rows;
}

/** Makes sure a dataset has a key; safe against a rival doing the same. */
export async function ensureDataset(db: Db, provider: string, dataset: string): Promise<number> {
  await sql`
    insert into scene_datasets (provider, dataset) select ${provider}, ${dataset}
    where not exists (select from scene_datasets where provider = ${provider} and dataset = ${dataset})
    on conflict on constraint scene_datasets_name_unique do nothing
  `.execute(db);
  const { rows } = await sql<{ dataset_key: number }>`
    select dataset_key from scene_datasets where provider = ${provider} and dataset = ${dataset}
  `.execute(db);
  const key = rows[0]?.dataset_key;
  if (key === undefined) throw new Error(`dataset ${provider} ${dataset} has no key after it was inserted`);
  return key;
}

export interface DocumentRow {
  readonly scene_key: number;
  readonly document: unknown;
}

export async function readDocuments(db: Db, sceneKeys: readonly number[]): Promise<readonly DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select scene_key, document from scene_documents where scene_key = any(${sceneKeys}::bigint[])
  `.execute(db);
  return rows;
}

/** Where a page ended, or null when there is no such scene. */
export async function readKeyset(
  db: Db,
  sceneKey: number,
): Promise<(Keyset & { readonly audience: string | null }) | null> {
  const { rows } = await sql<{ acquired_at: Date; scene_id: string; audience: string | null }>`
    select acquired_at, scene_id, audience from scenes where scene_key = ${sceneKey}::bigint
  `.execute(db);
  const row = rows[0];
  return row === undefined ? null : { acquiredAt: row.acquired_at, sceneId: row.scene_id, audience: row.audience };
}

export interface SceneRow {
  readonly scene_key: number;
  readonly footprint: Uint8Array;
  readonly content_hash: string | null;
  readonly ingested: boolean;
  readonly parent_id: string | null;
  readonly stored_area: Uint8Array | null;
  readonly refreshed_at: Date | null;
  readonly audience: string | null;
  readonly deleted_at: Date | null;
  readonly revision: number;
  readonly document: unknown;
  readonly raster: unknown;
}

export async function readScene(db: Db, sceneId: string): Promise<SceneRow | null> {
  const { rows } = await sql<SceneRow>`
    select s.scene_key, s.footprint, s.content_hash, s.ingested, s.parent_id, s.stored_area, s.audience,
           s.deleted_at, s.revision, d.refreshed_at, d.document, d.raster
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = ${sceneId}
  `.execute(db);
  return rows[0] ?? null;
}

/** Members of scenes that decide for whom they exist. */
export async function readSceneRights(
  db: Db,
  sceneIds: readonly string[],
): Promise<readonly (Pick<SceneRow, "audience" | "deleted_at"> & { readonly scene_id: string })[]> {
  const { rows } = await sql<Pick<SceneRow, "audience" | "deleted_at"> & { readonly scene_id: string }>`
    select scene_id, audience, deleted_at from scenes where scene_id = any(${[...sceneIds]}::text[])
  `.execute(db);
  return rows;
}

/** The documents of a scene before an edit; null when there is no such revision. */
export async function readRevision(
  db: Db,
  sceneKey: number,
  revision: number,
): Promise<Pick<SceneRow, "document" | "raster"> | null> {
  const { rows } = await sql<Pick<SceneRow, "document" | "raster">>`
    select document, raster from scene_revisions
    where scene_key = ${sceneKey}::bigint and revision = ${revision}
  `.execute(db);
  return rows[0] ?? null;
}

/** A scene without what only its pixels need. */
export type SceneInfoRow = Pick<
  SceneRow,
  "audience" | "deleted_at" | "footprint" | "ingested" | "stored_area" | "document"
>;

/** The scenes in the order of their identifiers; null for those without a row. */
export async function readSceneInfos(db: Db, sceneIds: readonly string[]): Promise<readonly (SceneInfoRow | null)[]> {
  const { rows } = await sql<SceneInfoRow & { scene_id: string }>`
    select s.scene_id, s.footprint, s.ingested, s.stored_area, s.audience, s.deleted_at, d.document
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = any(${[...new Set(sceneIds)]}::text[])
  `.execute(db);
  const byId = new Map(rows.map((row) => [row.scene_id, row]));
  return sceneIds.map((sceneId) => byId.get(sceneId) ?? null);
}

export interface KnownSceneRow {
  readonly scene_key: number;
  readonly scene_id: string;
  readonly ingested: boolean;
  readonly clipped: boolean;
  readonly refreshed_at: Date | null;
}

/** Those of the scenes that have a row. */
export async function readKnown(db: Db, sceneIds: readonly string[]): Promise<readonly KnownSceneRow[]> {
  const { rows } = await sql<KnownSceneRow>`
    select s.scene_key, s.scene_id, s.ingested, s.parent_id is not null as clipped, d.refreshed_at
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = any(${sceneIds}::text[])
  `.execute(db);
  return rows;
}

/** A scene that was ingested from certain bytes. */
export interface IngestedBytes {
  readonly sceneId: string;
  /** Whether its owner has deleted it. */
  readonly isDeleted: boolean;
}

/** The scene of the owner that was ingested from the same bytes, else one without an owner, which everybody sees. */
export async function findSceneByContentHash(
  db: Db | Trx,
  { provider, dataset, contentHash, owner }: SceneContent,
): Promise<IngestedBytes | null> {
  const { rows } = await sql<IngestedBytes>`
    select s.scene_id as "sceneId", s.deleted_at is not null as "isDeleted"
    from scenes s
    join scene_datasets d on d.dataset_key = s.dataset_key
    where d.provider = ${provider} and d.dataset = ${dataset} and s.content_hash = ${contentHash}
      and (s.owner = ${owner} or (s.owner is null and s.audience is null and s.deleted_at is null))
    order by s.owner nulls last
    limit 1
  `.execute(db);
  return rows[0] ?? null;
}

/** Bytes of an owner in a dataset. */
export interface SceneContent {
  readonly provider: string;
  readonly dataset: string;
  readonly contentHash: string;
  readonly owner: string;
}

/** A scene to write; `raster` null while its pixels are not in the store. */
export interface NewSceneRow {
  readonly sceneId: string;
  readonly datasetKey: number;
  readonly acquiredAt: string;
  readonly bounds: Bounds;
  readonly footprint: Uint8Array;
  readonly areaKm2: number;
  readonly contentHash: string | null;
  readonly parentId: string | null;
  readonly storedArea: Uint8Array | null;
  readonly refreshedAt: string | null;
  readonly owner: string | null;
  readonly audience: string | null;
  readonly document: unknown;
  readonly raster: unknown;
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Rows as a table `input`. One jsonb parameter is the fastest form short of COPY, and it stays in the transaction. */
function inputTable(scenes: readonly NewSceneRow[]): RawBuilder<unknown> {
  const payload = JSON.stringify(
    scenes.map((scene) => ({
      scene_id: scene.sceneId,
      dataset_key: scene.datasetKey,
      acquired_at: scene.acquiredAt,
      bbox: boxText(scene.bounds),
      footprint: hexadecimal(scene.footprint),
      area_km2: scene.areaKm2,
      content_hash: scene.contentHash,
      parent_id: scene.parentId,
      stored_area: scene.storedArea === null ? null : hexadecimal(scene.storedArea),
      refreshed_at: scene.refreshedAt,
      owner: scene.owner,
      audience: scene.audience,
      document: scene.document,
      raster: scene.raster,
    })),
  );
  return sql`
    input as materialized (
      select i.*, nullif(i.raster_or_null, 'null'::jsonb) as raster,
             decode(i.footprint_hex, 'hex') as footprint, decode(i.stored_area_hex, 'hex') as stored_area
      from (
        select scene_id, dataset_key, acquired_at, bbox, footprint as footprint_hex, area_km2, content_hash, parent_id,
               stored_area as stored_area_hex, refreshed_at, owner, audience, document, raster as raster_or_null
        from jsonb_to_recordset(${payload}::jsonb) as r (
          scene_id text, dataset_key integer, acquired_at timestamptz, bbox text, footprint text,
          area_km2 double precision, content_hash text, parent_id text, stored_area text, refreshed_at timestamptz,
          owner text, audience text, document jsonb, raster jsonb
        )
      ) i
    )
  `;
}

/** Inserts scenes in one statement; those that are there already, by identifier or content, are left alone. */
export async function insertScenes(db: Db, scenes: readonly NewSceneRow[]): Promise<readonly InsertedRow[]> {
  if (scenes.length === 0) return [];
  const { rows } = await sql<InsertedRow>`
    with ${inputTable(scenes)},
    added as (
      insert into scenes (
        scene_id, dataset_key, acquired_at, bbox, footprint, area_km2, ingested, content_hash, parent_id, stored_area,
        owner, audience
      )
      select i.scene_id, i.dataset_key, i.acquired_at, i.bbox::box, i.footprint, i.area_km2,
             i.raster is not null and i.stored_area is null, i.content_hash, i.parent_id, i.stored_area,
             coalesce(i.owner, p.owner), coalesce(i.audience, p.audience)
      from input i
      left join scenes p on p.scene_id = i.parent_id
      -- Rivals that insert the same scenes wait for each other in one order.
      order by i.scene_id
      on conflict do nothing
      returning scene_key, scene_id
    ),
    documents as (
      insert into scene_documents (scene_key, document, raster, refreshed_at)
      select a.scene_key, i.document, i.raster, i.refreshed_at
      from added a
      join input i on i.scene_id = a.scene_id
    )
    select scene_key, scene_id from added
  `.execute(db);
  return rows;
}

export interface InsertedRow {
  readonly scene_key: number;
  readonly scene_id: string;
}

/** Brings what a source says of scenes that are known but not ingested up to date. */
export async function refreshScenes(db: Db, scenes: readonly NewSceneRow[]): Promise<void> {
  if (scenes.length === 0) return;
  await sql`
    with ${inputTable(scenes)},
    locked as (
      select s.scene_key, s.scene_id
      from scenes s
      where s.scene_id = any(${scenes.map(({ sceneId }) => sceneId)}::text[]) and not s.ingested
      order by s.scene_id
      for update
    ),
    changed as (
      update scenes s
      set acquired_at = i.acquired_at,
          bbox = i.bbox::box,
          footprint = i.footprint,
          area_km2 = i.area_km2
      from input i
      join locked l on l.scene_id = i.scene_id
      where s.scene_key = l.scene_key
      returning s.scene_key, s.scene_id
    )
    update scene_documents d
    set document = i.document, refreshed_at = i.refreshed_at
    from changed c
    join input i on i.scene_id = c.scene_id
    where d.scene_key = c.scene_key
  `.execute(db);
}

/**
 * Gives a scene pixels, or other ones, with the metadata they came with. Whether there was such a scene.
 *
 * @param complete false while `storedArea` of the row is all that is there
 */
export async function updatePixels(db: Db, row: NewSceneRow, complete: boolean): Promise<boolean> {
  const { rows } = await sql<{ scene_key: number }>`
    with ${inputTable([row])},
    changed as (
      update scenes s
      set acquired_at = i.acquired_at,
          bbox = i.bbox::box,
          footprint = i.footprint,
          area_km2 = i.area_km2,
          ingested = ${complete}::boolean,
          content_hash = i.content_hash,
          parent_id = coalesce(i.parent_id, s.parent_id),
          stored_area = i.stored_area
      from input i
      where s.scene_id = i.scene_id
      returning s.scene_key, s.scene_id
    )
    update scene_documents d
    set document = i.document, raster = i.raster
    from changed c
    join input i on i.scene_id = c.scene_id
    where d.scene_key = c.scene_key
    returning d.scene_key
  `.execute(db);
  return rows.length > 0;
}

export interface ForgottenQuery {
  /** Scenes that no source was asked about since. */
  readonly before: Date;
  /** Datasets that have no source any more: what one said of them before goes at once. */
  readonly orphanedKeys: readonly number[];
  readonly limit: number;
}

/** Removes forgotten catalogue scenes without pixels, maps, cuttings and paid area here; answers how many. */
export async function deleteForgotten(db: Db, { before, orphanedKeys, limit }: ForgottenQuery): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with forgotten as (
      select s.scene_key
      from scene_documents d
      join scenes s on s.scene_key = d.scene_key
      where d.refreshed_at is not null
        and (d.refreshed_at < ${before}::timestamptz or s.dataset_key = any(${orphanedKeys}::integer[]))
        and d.raster is null
        and not s.ingested
        and s.stored_area is null
        and s.parent_id is null
        and not exists (select from maps m where m.scene_id = s.scene_id)
        and not exists (select from scenes child where child.parent_id = s.scene_id)
        and not exists (select from credit_coverage c where c.scene_key = s.scene_id)
      order by d.refreshed_at
      limit ${limit}::integer
      for update of s skip locked
    ),
    deleted as (
      delete from scenes s using forgotten f where s.scene_key = f.scene_key returning s.scene_key
    )
    select count(*)::integer as deleted from deleted
  `.execute(db);
  return rows[0]?.deleted ?? 0;
}
