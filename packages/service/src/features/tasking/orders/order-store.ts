import type { OrderStatus } from "@swath/kernel/tasking/order-status";
import type { Insertable, Selectable } from "kysely";
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
