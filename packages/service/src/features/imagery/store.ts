import { sql } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Db, Trx } from "../../platform/context.ts";

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
  readonly onlyIngested: boolean;
  readonly limit: number;
}

function boxText([west, south, east, north]: Bounds): string {
  return `(${east},${north}),(${west},${south})`;
}

/**
 * Scenes whose boxes meet one of the boxes, newest first. A GiST index cannot use `= any`, hence one lateral scan per
 * dataset and box; each stops at `limit` rows, so that documents and exact geometry are touched for few. Datasets
 * without any scene of the least area are not scanned at all: a large extent and a dataset of small scenes is a
 * common search without an answer. The sum with 0 keeps the planner from taking the area index for the scan itself.
 */
export async function findCandidates(db: Db, query: CandidateQuery): Promise<readonly CandidateRow[]> {
  const boxes = `{${query.boxes.map((box) => `"${boxText(box)}"`).join(";")}}`;
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
    select c.scene_key, c.scene_id, c.acquired_at, c.footprint, c.ingested
    from d
    cross join unnest(${boxes}::box[]) as b (bbox)
    cross join lateral (
      select s.scene_key, s.scene_id, s.acquired_at, s.footprint, s.ingested
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
        ${query.onlyIngested ? sql`and s.ingested` : sql``}
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
    insert into scene_datasets (provider, dataset)
    select ${provider}, ${dataset}
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
export async function readKeyset(db: Db, sceneKey: number): Promise<Keyset | null> {
  const { rows } = await sql<{ acquired_at: Date; scene_id: string }>`
    select acquired_at, scene_id from scenes where scene_key = ${sceneKey}::bigint
  `.execute(db);
  const row = rows[0];
  return row === undefined ? null : { acquiredAt: row.acquired_at, sceneId: row.scene_id };
}

export interface SceneRow {
  readonly footprint: Uint8Array;
  readonly content_hash: string | null;
  readonly document: unknown;
  readonly raster: unknown;
}

export async function readScene(db: Db, sceneId: string): Promise<SceneRow | null> {
  const { rows } = await sql<SceneRow>`
    select s.footprint, s.content_hash, d.document, d.raster
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = ${sceneId}
  `.execute(db);
  return rows[0] ?? null;
}

export async function findSceneByContentHash(
  db: Db | Trx,
  provider: string,
  dataset: string,
  contentHash: string,
): Promise<string | null> {
  const { rows } = await sql<{ scene_id: string }>`
    select s.scene_id
    from scenes s
    join scene_datasets d on d.dataset_key = s.dataset_key
    where d.provider = ${provider} and d.dataset = ${dataset} and s.content_hash = ${contentHash}
  `.execute(db);
  return rows[0]?.scene_id ?? null;
}

/** A scene to insert; `raster` null while its pixels are not in the store. */
export interface NewSceneRow {
  readonly sceneId: string;
  readonly datasetKey: number;
  readonly acquiredAt: string;
  readonly bounds: Bounds;
  readonly footprint: Uint8Array;
  readonly areaKm2: number;
  readonly contentHash: string | null;
  readonly document: unknown;
  readonly raster: unknown;
}

/** Inserts scenes in one statement; those that are there already, by identifier or content, are left alone. */
export async function insertScenes(db: Db, scenes: readonly NewSceneRow[]): Promise<number> {
  // One jsonb parameter is the fastest form measured short of COPY, and it stays in the caller's transaction.
  const payload = JSON.stringify(
    scenes.map((scene) => ({
      scene_id: scene.sceneId,
      dataset_key: scene.datasetKey,
      acquired_at: scene.acquiredAt,
      bbox: boxText(scene.bounds),
      footprint: Buffer.from(scene.footprint).toString("hex"),
      area_km2: scene.areaKm2,
      content_hash: scene.contentHash,
      document: scene.document,
      raster: scene.raster,
    })),
  );
  const { rows } = await sql<{ inserted: number }>`
    with input as materialized (
      select * from jsonb_to_recordset(${payload}::jsonb) as i (
        scene_id text, dataset_key integer, acquired_at timestamptz, bbox text, footprint text,
        area_km2 double precision, content_hash text, document jsonb, raster jsonb
      )
    ),
    added as (
      insert into scenes (scene_id, dataset_key, acquired_at, bbox, footprint, area_km2, ingested, content_hash)
      select scene_id, dataset_key, acquired_at, bbox::box, decode(footprint, 'hex'), area_km2,
             raster is not null and jsonb_typeof(raster) <> 'null', content_hash
      from input
      on conflict do nothing
      returning scene_key, scene_id
    ),
    documents as (
      insert into scene_documents (scene_key, document, raster)
      select a.scene_key, i.document, nullif(i.raster, 'null'::jsonb)
      from added a
      join input i on i.scene_id = a.scene_id
    )
    select count(*)::integer as inserted from added
  `.execute(db);
  return rows[0]?.inserted ?? 0;
}
