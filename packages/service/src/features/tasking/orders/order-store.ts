import type { OrderStatus } from "@swath/kernel/tasking/order-status";
import { sql, type Insertable, type Selectable } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";
import type { TaskingTables } from "../../../platform/postgres/tables/tasking.ts";

export type NewOrderRow = Insertable<TaskingTables["tasking_orders"]> & { readonly status: OrderStatus };

/** An order as stored. */
export interface OrderRow extends Selectable<TaskingTables["tasking_orders"]> {
  readonly status: OrderStatus;
}

/** The constraint of the table allows these statuses only. */
function toRow(row: Selectable<TaskingTables["tasking_orders"]>): OrderRow {
  return row as OrderRow;
}

export async function readOrder(db: Db, orderId: string): Promise<OrderRow | null> {
  const row = await db.selectFrom("tasking_orders").selectAll().where("id", "=", orderId).executeTakeFirst();
  return row === undefined ? null : toRow(row);
}

/** The order that a request has made. */
export async function readOrderOfRequest(db: Db, requestKey: string): Promise<OrderRow | null> {
  const [order = null] = await readOrdersOfRequests(db, [requestKey]);
  return order;
}

/** Orders that requests have made, in the order of their placing. */
export async function readOrdersOfRequests(db: Db, requestKeys: readonly string[]): Promise<readonly OrderRow[]> {
  const rows = await db
    .selectFrom("tasking_orders")
    .selectAll()
    .where("request_key", "in", requestKeys)
    .orderBy("serial")
    .execute();
  return rows.map(toRow);
}

/** Locks the order until the transaction ends: before the rows of its credit, always. */
export async function lockOrder(trx: Trx, orderId: string): Promise<OrderRow | null> {
  const row = await trx
    .selectFrom("tasking_orders")
    .selectAll()
    .where("id", "=", orderId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toRow(row);
}

/** Orders of an owner that have not ended. */
export async function countOpenOrders(trx: Trx, ownerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tasking_orders
    where owner_id = ${ownerId} and status in ('RECEIVED', 'PENDING', 'IN_PROGRESS')`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Inserts an order. @returns null when its request is stored already; a request in progress is waited for */
export async function insertOrder(trx: Trx, order: NewOrderRow): Promise<OrderRow | null> {
  const row = await trx
    .insertInto("tasking_orders")
    .values(order)
    .onConflict((conflict) => conflict.column("request_key").doNothing())
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : toRow(row);
}

/** Notes on a locked order that its owner wants it cancelled; the provider is asked at once. */
export async function requestCancellation(trx: Trx, orderId: string, at: Date): Promise<void> {
  await trx
    .updateTable("tasking_orders")
    .set({ cancel_requested_at: at, poll_due_at: at })
    .where("id", "=", orderId)
    .execute();
}

/** Writes the next status of a locked order. */
export async function moveOrder(trx: Trx, order: OrderRow, to: OrderStatus, at: Date): Promise<OrderRow> {
  const row = await trx
    .updateTable("tasking_orders")
    .set({ status: to, version: order.version + 1, updated_at: at })
    .where("id", "=", order.id)
    .where("version", "=", order.version)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRow(row);
}
