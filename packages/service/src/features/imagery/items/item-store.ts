import { sql, type RawBuilder } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";
import { SEPARATOR, type ItemColumns, type ItemRow } from "../../../sources/registered/item-row.ts";
import type { SceneRights } from "../visibility.ts";
import { keepRevision } from "../keep-revision.ts";

/** Rows as a table `input`. Lists as parameters would need escapes, which cost more than all else. */
function inputTable(columns: ItemColumns): RawBuilder<unknown> {
  const column = (name: keyof ItemRow): RawBuilder<unknown> =>
    sql`string_to_array(${columns[name]}::text, ${SEPARATOR}::text)`;
  return sql`
    unnest(
      ${column("sceneId")}, ${column("acquiredAt")}::timestamptz[], ${column("bbox")},
      ${column("footprint")}, ${column("areaKm2")}::double precision[], ${column("document")},
      ${column("item")}
    ) as input (scene_id, acquired_at, bbox, footprint, area_km2, document, item)
  `;
}

/** Inserts the scenes that are not there; answers their identifiers. */
export async function insertItems(
  trx: Trx,
  columns: ItemColumns,
  { datasetKey, owner, audience }: SceneRights & { readonly datasetKey: number },
): Promise<readonly string[]> {
  const { rows: added } = await sql<{ scene_id: string }>`
    with input as materialized (select * from ${inputTable(columns)}),
    added as (
      insert into scenes (
        scene_id, dataset_key, acquired_at, bbox, footprint, area_km2, ingested, registered, owner, audience
      )
      select scene_id, ${datasetKey}::integer, acquired_at, bbox::box, decode(footprint, 'hex'), area_km2, false, true,
             ${owner}::text, ${audience}::text
      from input
      -- Rivals that insert the same scenes wait for each other in one order.
      order by scene_id
      on conflict (scene_id) do nothing
      returning scene_key, scene_id
    ),
    documents as (
      insert into scene_documents (scene_key, document, item)
      select a.scene_key, i.document::jsonb, i.item
      from added a
      join input i on i.scene_id = a.scene_id
    )
    select scene_id from added
  `.execute(trx);
  return added.map(({ scene_id: sceneId }) => sceneId);
}

/** The scenes that are there with the same item and footprint. */
export async function findUnchanged(trx: Trx, columns: ItemColumns): Promise<readonly string[]> {
  const { rows: same } = await sql<{ scene_id: string }>`
    select s.scene_id
    from ${inputTable(columns)}
    join scenes s on s.scene_id = input.scene_id
    join scene_documents d on d.scene_key = s.scene_key
    where s.deleted_at is null and d.item = input.item and s.footprint = decode(input.footprint, 'hex')
  `.execute(trx);
  return same.map(({ scene_id: sceneId }) => sceneId);
}

/** Whether maps, cuttings, pixels in the store or paid area belong to the place and the pixels of a scene. */
export async function isInUse(trx: Trx, sceneId: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select d.raster is not null
      or exists (select from maps m where m.scene_id = s.scene_id)
      or exists (select from maps m where m.scene_ids @> array[s.scene_id])
      or exists (select from scenes child where child.parent_id = s.scene_id)
      or exists (select from credit_coverage c where c.scene_key = s.scene_id and c.area_cm2 > 0) as used
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = ${sceneId}
  `.execute(trx);
  return rows[0]?.used === true;
}

/** Gives a scene another item as its next revision, and takes its deletion back. */
export async function replaceItem(trx: Trx, sceneKey: number, row: ItemRow): Promise<void> {
  await keepRevision(trx, sceneKey);
  await sql`
    update scenes
    set acquired_at = ${row.acquiredAt}::timestamptz, bbox = ${row.bbox}::box, area_km2 = ${row.areaKm2}::float8,
        footprint = decode(${row.footprint}, 'hex'), revision = revision + 1, deleted_at = null, purge_at = null
    where scene_key = ${sceneKey}::bigint
  `.execute(trx);
  await sql`
    update scene_documents set document = ${row.document}::text::jsonb, item = ${row.item}
    where scene_key = ${sceneKey}::bigint
  `.execute(trx);
}

/** A registered item with its revision; null for scenes that are not registered. */
export async function readItem(
  db: Db,
  sceneId: string,
): Promise<{ readonly item: string; readonly revision: number } | null> {
  const { rows } = await sql<{ item: string | null; revision: number }>`
    select d.item, s.revision
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_id = ${sceneId} and s.registered
  `.execute(db);
  const { item = null, revision = 0 } = rows[0] ?? {};
  return item === null ? null : { item, revision };
}
