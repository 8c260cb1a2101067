import { sql } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Db, Trx } from "../../platform/context.ts";
import { clusterAreas, type AreaCluster } from "./area-cluster.ts";
import type { WatchedArea } from "./watched-areas.ts";

/** Whose query it is: the user's, or of a monitor of the user. */
export type Purpose = "monitor" | "user";

export interface QueryRow {
  readonly id: string;
  readonly serial: number;
  readonly owner_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly criteria: string;
  readonly area_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface NewQuery extends Omit<QueryRow, "area_count" | "created_at" | "serial" | "updated_at"> {
  readonly purpose: Purpose;
  /** GeoJSON. */
  readonly geojson: string;
  readonly areas: readonly WatchedArea[];
  readonly datasetKeys: readonly number[];
  readonly at: Date;
}

const COLUMNS = sql`id, serial, owner_id, name, enabled, criteria, area_count, created_at, updated_at`;

/** Queries of an owner are created one after the other. */
export async function lockOwner(trx: Trx, ownerId: string): Promise<void> {
  await sql`select from users where id = ${ownerId} for no key update`.execute(trx);
}

/** Number of queries and boxes of an owner. */
export async function readUse(
  trx: Trx,
  ownerId: string,
): Promise<{ readonly queries: number; readonly boxes: number }> {
  const { rows } = await sql<{ queries: number; boxes: number }>`
    select count(*)::int as queries, coalesce(sum(box_count), 0)::int as boxes
    from standing_queries where owner_id = ${ownerId}`.execute(trx);
  return rows[0] ?? { queries: 0, boxes: 0 };
}

export async function insertQuery(trx: Trx, query: NewQuery): Promise<void> {
  const { areas, at, datasetKeys, geojson, id, owner_id, purpose, name, enabled, criteria } = query;
  await trx
    .insertInto("standing_queries")
    .values({
      id,
      owner_id,
      purpose,
      name,
      enabled,
      criteria,
      areas: geojson,
      area_count: areas.length,
      box_count: areas.length * datasetKeys.length,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await trx
    .insertInto("standing_query_datasets")
    .values(datasetKeys.map((dataset_key) => ({ query_id: id, dataset_key })))
    .execute();
  const clusters = clusterAreas(areas);
  await sql`
    insert into standing_query_areas (query_id, position, members, areas)
    select ${id}, place - 1, members, decode(areas, 'hex')
    from unnest(
      ${clusters.map(({ members }) => JSON.stringify(members))}::text[],
      ${clusters.map((cluster) => hexadecimal(cluster.areas))}::text[]
    ) with ordinality as given (members, areas, place)`.execute(trx);
  await sql`
    insert into standing_query_boxes (query_id, position, dataset_key, bbox)
    select ${id}, place - 1, dataset_key, bbox
    from unnest(${boxesText(clusters)}::box[]) with ordinality as given (bbox, place)
    cross join unnest(${[...datasetKeys]}::int[]) as named (dataset_key)`.execute(trx);
}

/** A parameter of the type `box[]`. */
function boxesText(clusters: readonly AreaCluster[]): string {
  return `{${clusters.map(({ bounds }) => `"${boxText(bounds)}"`).join(";")}}`;
}

/** A parameter of the type `box`. */
export function boxText([west, south, east, north]: Bounds): string {
  return `(${east},${north}),(${west},${south})`;
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Locks the query until the transaction ends; null when the owner has no such one. */
export async function lockQuery(trx: Trx, ownerId: string, id: string, purpose: Purpose): Promise<QueryRow | null> {
  const { rows } = await sql<QueryRow>`
    select ${COLUMNS} from standing_queries
    where id = ${id} and owner_id = ${ownerId} and purpose = ${purpose} for update`.execute(trx);
  return rows[0] ?? null;
}

export async function readQuery(
  db: Db,
  ownerId: string,
  id: string,
): Promise<(QueryRow & { readonly areas: string }) | null> {
  const { rows } = await sql<QueryRow & { readonly areas: string }>`
    select ${COLUMNS}, areas from standing_queries
    where id = ${id} and owner_id = ${ownerId} and purpose = 'user'`.execute(db);
  return rows[0] ?? null;
}

export async function listQueries(
  db: Db,
  ownerId: string,
  beforeSerial: number | null,
  limit: number,
): Promise<readonly QueryRow[]> {
  const { rows } = await sql<QueryRow>`
    select ${COLUMNS} from standing_queries
    where owner_id = ${ownerId} and purpose = 'user' and (${beforeSerial}::bigint is null or serial < ${beforeSerial})
    order by serial desc limit ${limit}`.execute(db);
  return rows;
}

export async function updateQuery(
  trx: Trx,
  { id, name, enabled, criteria }: Pick<QueryRow, "criteria" | "enabled" | "id" | "name">,
  at: Date,
): Promise<void> {
  await trx
    .updateTable("standing_queries")
    .set({ name, enabled, criteria, updated_at: at })
    .where("id", "=", id)
    .execute();
}

/** @returns whether there was one */
export async function deleteQuery(db: Db, ownerId: string, id: string, purpose: Purpose): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("standing_queries")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("purpose", "=", purpose)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface LatestMatchRow {
  readonly scene_id: string;
  readonly provider: string;
  readonly dataset: string;
  readonly acquired_at: Date;
  readonly audience: string | null;
  readonly matched_at: Date;
}

/** The latest matches whose scenes are not deleted. */
export async function latestMatches(db: Db, id: string, limit: number): Promise<readonly LatestMatchRow[]> {
  const { rows } = await sql<LatestMatchRow>`
    select s.scene_id, d.provider, d.dataset, s.acquired_at, s.audience, m.matched_at
    from standing_query_matches m
    join scenes s on s.scene_key = m.scene_key
    join scene_datasets d on d.dataset_key = s.dataset_key
    where m.query_id = ${id} and s.deleted_at is null
    order by m.serial desc limit ${limit}`.execute(db);
  return rows;
}

/** Removes matches before a moment, in one batch. @returns how many */
export async function removeMatches(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from standing_query_matches where serial in (
        select serial from standing_query_matches
        where matched_at < ${before} and taken order by serial limit ${limit} for update skip locked
      ) returning 1
    )
    select count(*)::int as removed from removed`.execute(db);
  return rows[0]?.removed ?? 0;
}
