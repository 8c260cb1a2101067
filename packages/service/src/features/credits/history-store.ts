import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../platform/context.ts";
import type { LogPlace } from "./cursor.ts";
import type { TransactionKind } from "@swath/contract/features/credits/history-contract";
import type { Period } from "./period.ts";

export interface AllocationRow extends LogPlace {
  readonly created_at: Date;
  readonly group_id: string;
  readonly provider: string;
  readonly dataset: string;
  readonly scene_id: string;
  readonly map_type: string | null;
  readonly tiles: StoreTile[] | null;
  /** Null where it was not asked for. */
  readonly geometry: MultiPolygon | null;
}

export interface AllocationFilter extends Period {
  readonly groupId: string;
  readonly providers: readonly string[] | null;
  readonly datasets: readonly string[] | null;
  readonly sceneIds: readonly string[] | null;
}

export interface TransactionRow extends LogPlace {
  readonly kind: TransactionKind;
  readonly created_at: Date;
  readonly user_id: string;
  readonly group_id: string;
  readonly order_reference_id: string | null;
  readonly provider: string | null;
  readonly dataset: string | null;
  readonly scene_id: string | null;
  readonly map_type: string | null;
  readonly area_m2: number;
  readonly micro: string;
  readonly allocation_ids: string[];
  readonly tiles: StoreTile[] | null;
}

/** Of a group, of a user, or of a user within a group; null is any. */
export interface TransactionFilter extends Period {
  readonly groupId: string | null;
  readonly userId: string | null;
  readonly kind: TransactionKind | null;
  readonly dataset: string | null;
  readonly provider: string | null;
  readonly orderId: string | null;
  readonly sceneIds: readonly string[] | null;
}

export interface Slice {
  /** Rows behind this one; null begins at the first. */
  readonly after: LogPlace | null;
  readonly limit: number;
}

type Condition = RawBuilder<unknown> | null;

function where(conditions: readonly Condition[]): RawBuilder<unknown> {
  return sql.join(
    conditions.filter((condition) => condition !== null),
    sql` and `,
  );
}

function place({ atMicros, id }: LogPlace): RawBuilder<unknown> {
  return sql`(timestamptz 'epoch' + ${atMicros}::bigint * interval '1 microsecond', ${id}::text)`;
}

function within({ from, to }: Period): readonly Condition[] {
  return [
    from === null ? null : sql`created_at >= ${from}::timestamptz`,
    to === null ? null : sql`created_at < ${to}::timestamptz`,
  ];
}

const AT_MICROS = sql`(extract(epoch from created_at) * 1000000)::bigint::text as "atMicros"`;

/** Newest first, by the index of the group. A page with geometries ends at a limit of bytes, and has a row at least. */
export async function selectAllocations(
  db: Db,
  filter: AllocationFilter,
  { after, limit, geometryBytes }: Slice & { readonly geometryBytes: number | null },
): Promise<{ readonly rows: readonly AllocationRow[]; readonly isCut: boolean }> {
  const geometry = geometryBytes === null ? sql`null::jsonb` : sql`geometry`;
  const { rows } = await sql<AllocationRow & { readonly selected: number }>`
    with page as materialized (
      ${pageOfAllocations(filter, geometry, { after, limit })}
    ), sized as (
      select page.*, count(*) over ()::int as selected, row_number() over newest as place,
        sum(octet_length(geometry::text)) over newest as bytes
      from page window newest as (order by created_at desc, id desc)
    )
    select id, created_at, "atMicros", group_id, provider, dataset, scene_id, map_type, tiles, geometry, selected
    from sized where place = 1 or coalesce(bytes, 0) <= ${geometryBytes ?? 0}
    order by created_at desc, id desc`.execute(db);
  return { rows, isCut: rows.length < (rows[0]?.selected ?? 0) };
}

function pageOfAllocations(
  filter: AllocationFilter,
  geometry: RawBuilder<unknown>,
  { after, limit }: Slice,
): RawBuilder<unknown> {
  return sql`
    select id, created_at, ${AT_MICROS}, group_id, provider, dataset, scene_id, map_type, tiles, ${geometry} as geometry
    from credit_allocations
    where ${where([
      sql`group_id = ${filter.groupId}`,
      filter.providers === null ? null : sql`provider = any(${[...filter.providers]}::text[])`,
      filter.datasets === null ? null : sql`dataset = any(${[...filter.datasets]}::text[])`,
      filter.sceneIds === null ? null : sql`scene_id = any(${[...filter.sceneIds]}::text[])`,
      ...within(filter),
      after === null ? null : sql`(created_at, id) < ${place(after)}`,
    ])}
    order by created_at desc, id desc limit ${limit}`;
}

const TRANSACTION = sql`
  id, kind, created_at, ${AT_MICROS}, user_id, group_id, order_reference_id, provider, dataset, scene_id, map_type,
  area_m2, micro::text as micro, allocation_ids, tiles`;

function transactionConditions(filter: TransactionFilter): readonly Condition[] {
  const { groupId, userId, kind, dataset, provider, orderId, sceneIds } = filter;
  return [
    groupId === null ? null : sql`group_id = ${groupId}`,
    userId === null ? null : sql`user_id = ${userId}`,
    kind === null ? null : sql`kind = ${kind}`,
    dataset === null ? null : sql`dataset = ${dataset}`,
    provider === null ? null : sql`provider = ${provider}`,
    orderId === null ? null : sql`order_reference_id = ${orderId}`,
    sceneIds === null ? null : sql`scene_id = any(${[...sceneIds]}::text[])`,
    ...within(filter),
  ];
}

/** Newest first, by the index of the group, the user or the order. */
export async function selectTransactions(
  db: Db,
  filter: TransactionFilter,
  { after, limit }: Slice,
): Promise<readonly TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    select ${TRANSACTION} from credit_transactions
    where ${where([...transactionConditions(filter), after === null ? null : sql`(created_at, id) < ${place(after)}`])}
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Of one group, oldest first. */
export async function selectUsage(
  db: Db,
  groupId: string,
  period: Period,
  { after, limit }: Slice,
): Promise<readonly TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    select ${TRANSACTION} from credit_transactions
    where ${where([
      sql`group_id = ${groupId}`,
      ...within(period),
      after === null ? null : sql`(created_at, id) > ${place(after)}`,
    ])}
    order by created_at, id limit ${limit}`.execute(db);
  return rows;
}

/** Whether two groups are of one organization; unknown groups are of none. */
export async function areOfOneOrganization(db: Db, groupId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from groups a join groups b on b.organization_id = a.organization_id
    where a.id = ${groupId} and b.id = ${otherId}`.execute(db);
  return rows.length > 0;
}

/** Whether a user exists and is not blocked. */
export async function isActiveUser(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${userId} and not blocked`.execute(db);
  return rows.length > 0;
}
