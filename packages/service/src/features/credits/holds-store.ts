import type { Hold, HoldState } from "@swath/kernel/credits/hold";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** The purpose of a hold: an order, or a release that pays for its maps. */
export type HoldPurpose = "order" | "release";

/** Whose hold it is and for what. */
export interface HoldOwner {
  /** ID of the order, or of the pipeline of the release. */
  readonly orderReferenceId: string;
  readonly purpose: HoldPurpose;
  readonly groupId: string;
  readonly userId: string;
  /** Null: of several. */
  readonly provider: string | null;
  readonly dataset: string | null;
}

export interface StoredHold extends HoldOwner {
  readonly hold: Hold;
  readonly createdAt: Date;
}

interface HoldRow extends HoldOwner {
  readonly createdAt: Date;
  readonly preallocated: string;
  readonly preallocatedM2: string;
  readonly reserved: string;
  readonly reservedM2: string;
  readonly settled: string;
  readonly settledM2: string;
  readonly returned: string;
  readonly state: HoldState;
}

const HOLD = sql`
  order_reference_id as "orderReferenceId", purpose, group_id as "groupId", user_id as "userId", provider, dataset,
  state, created_at as "createdAt",
  preallocated_micro::text as preallocated, preallocated_m2::text as "preallocatedM2",
  reserved_micro::text as reserved, reserved_m2::text as "reservedM2",
  settled_micro::text as settled, settled_m2::text as "settledM2", returned_micro::text as returned`;

function toHold(row: HoldRow | undefined): StoredHold | null {
  if (row === undefined) return null;
  const { createdAt, orderReferenceId, purpose, groupId, userId, provider, dataset } = row;
  return {
    createdAt,
    orderReferenceId,
    purpose,
    groupId,
    userId,
    provider,
    dataset,
    hold: {
      preallocatedMicro: BigInt(row.preallocated),
      preallocatedM2: Number(row.preallocatedM2),
      reservedMicro: BigInt(row.reserved),
      reservedM2: Number(row.reservedM2),
      settledMicro: BigInt(row.settled),
      settledM2: Number(row.settledM2),
      returnedMicro: BigInt(row.returned),
      state: row.state,
    },
  };
}

export async function readHold(db: Db, orderReferenceId: string): Promise<StoredHold | null> {
  const { rows } = await sql<HoldRow>`
    select ${HOLD} from credit_holds where order_reference_id = ${orderReferenceId}`.execute(db);
  return toHold(rows[0]);
}

/** Credit that orders of a user hold in a group. */
export async function readHeldMicro(db: Db, groupId: string, userId: string): Promise<MicroCredits> {
  const { rows } = await sql<{ held: string }>`
    select coalesce(sum(reserved_micro), 0)::text as held from credit_holds
    where group_id = ${groupId} and user_id = ${userId} and state = 'held'`.execute(db);
  return BigInt(rows[0]?.held ?? 0);
}

/** Locks the hold until the transaction ends; taken after the rows of the group and the user, always. */
export async function lockHold(trx: Trx, orderReferenceId: string): Promise<StoredHold | null> {
  const { rows } = await sql<HoldRow>`
    select ${HOLD} from credit_holds where order_reference_id = ${orderReferenceId} for update`.execute(trx);
  return toHold(rows[0]);
}

/** @returns whether the order had no hold before */
export async function insertHold(trx: Trx, owner: HoldOwner, hold: Hold, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into credit_holds (order_reference_id, purpose, group_id, user_id, provider, dataset, preallocated_micro,
      preallocated_m2, reserved_micro, reserved_m2, created_at, updated_at)
    values (${owner.orderReferenceId}, ${owner.purpose}, ${owner.groupId}, ${owner.userId}, ${owner.provider}::text,
      ${owner.dataset}::text,
      ${hold.preallocatedMicro}::bigint, ${hold.preallocatedM2}::bigint, ${hold.reservedMicro}::bigint,
      ${hold.reservedM2}::bigint, ${at}, ${at})
    on conflict (order_reference_id) do nothing returning 1`.execute(trx);
  return rows.length > 0;
}

export async function updateHold(trx: Trx, orderReferenceId: string, hold: Hold, at: Date): Promise<void> {
  await sql`
    update credit_holds set reserved_micro = ${hold.reservedMicro}::bigint, reserved_m2 = ${hold.reservedM2}::bigint,
      settled_micro = ${hold.settledMicro}::bigint, settled_m2 = ${hold.settledM2}::bigint,
      returned_micro = ${hold.returnedMicro}::bigint, state = ${hold.state}, updated_at = ${at}
    where order_reference_id = ${orderReferenceId}`.execute(trx);
}

/** An entry of the log that belongs to an order. */
export interface OrderTransaction {
  readonly id: string;
  readonly kind: "credit.preallocate" | "credit.return" | "credit.update";
  readonly owner: HoldOwner;
  readonly areaM2: number;
  readonly micro: MicroCredits;
  readonly sceneId: string | null;
  readonly tiles: readonly StoreTile[] | null;
  readonly allocationId: string | null;
  readonly createdAt: Date;
}

/** Logs a change of a hold; the database takes it off the balances of group and user. */
export async function insertOrderTransaction(trx: Trx, entry: OrderTransaction): Promise<void> {
  const { owner } = entry;
  const tiles = entry.tiles === null ? null : JSON.stringify(entry.tiles);
  await sql`
    insert into credit_transactions (id, kind, created_at, user_id, group_id, order_reference_id, provider, dataset,
      scene_id, area_m2, micro, allocation_ids, tiles)
    values (${entry.id}, ${entry.kind}, ${entry.createdAt}, ${owner.userId}, ${owner.groupId},
      ${owner.orderReferenceId}, ${owner.provider}::text, ${owner.dataset}::text, ${entry.sceneId}, ${entry.areaM2}::bigint,
      ${entry.micro}::bigint, ${entry.allocationId === null ? [] : [entry.allocationId]}::text[],
      ${tiles}::text::jsonb)`.execute(trx);
}

/** An area that an order has delivered. */
export interface DeliveredArea {
  readonly id: string;
  readonly transactionId: string;
  readonly owner: HoldOwner;
  readonly sceneId: string;
  readonly sceneKey: string;
  readonly tiles: readonly StoreTile[] | null;
  readonly geometry: MultiPolygon;
  readonly createdAt: Date;
}

export async function insertDeliveredArea(trx: Trx, area: DeliveredArea): Promise<void> {
  const { owner } = area;
  const tiles = area.tiles === null ? null : JSON.stringify(area.tiles);
  await sql`
    insert into credit_allocations
      (id, transaction_id, group_id, provider, dataset, scene_id, scene_key, tiles, geometry, created_at)
    values (${area.id}, ${area.transactionId}, ${owner.groupId}, ${owner.provider}, ${owner.dataset}, ${area.sceneId},
      ${area.sceneKey}, ${tiles}::text::jsonb, ${JSON.stringify(area.geometry)}::text::jsonb,
      ${area.createdAt})`.execute(trx);
}

/** Whether an order has delivered a scene already. */
export async function hasDelivered(trx: Trx, orderReferenceId: string, sceneId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from credit_transactions
    where order_reference_id = ${orderReferenceId} and scene_id = ${sceneId} and cardinality(allocation_ids) > 0
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** References of releases that hold credit though their pipelines have ended without settling it, oldest first. */
export async function selectEndedReleases(db: Db, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select h.order_reference_id as id from credit_holds h
    where h.purpose = 'release' and h.state = 'held' and not exists (
      select from pipelines p where p.id = h.order_reference_id and p.status in ('NEW', 'PROCESSING'))
    order by h.created_at, h.order_reference_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
