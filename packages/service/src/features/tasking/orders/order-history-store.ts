import type { OrderEvent, OrderStatus } from "@swath/kernel/tasking/order-status";
import type { Db, Trx } from "../../../platform/context.ts";

/** A change of an order's status. */
export interface HistoryEntry {
  readonly orderId: string;
  /** Version of the order after the change. */
  readonly version: number;
  /** Null for the placing. */
  readonly event: OrderEvent | null;
  readonly status: OrderStatus;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  /** The entry of the credit log; null without a change of credit. */
  readonly transactionId: string | null;
  readonly atMs: number;
}

const MAX_CODE_LENGTH = 64;
const MAX_TEXT_LENGTH = 1000;

/** The first characters of a text by a provider. The database accepts no zero bytes. */
function bounded(text: string | null, length: number): string | null {
  return text === null ? null : text.slice(0, length).toWellFormed().replaceAll("\0", " ");
}

export async function insertHistory(trx: Trx, entry: HistoryEntry): Promise<void> {
  await trx
    .insertInto("tasking_order_history")
    .values({
      order_id: entry.orderId,
      version: entry.version,
      event: entry.event,
      status: entry.status,
      reason_code: bounded(entry.reasonCode, MAX_CODE_LENGTH),
      reason_text: bounded(entry.reasonText, MAX_TEXT_LENGTH),
      transaction_id: entry.transactionId,
      occurred_at: new Date(entry.atMs),
    })
    .execute();
}

/** Whether an event has happened to an order. */
export async function hasHappened(db: Db, orderId: string, event: OrderEvent): Promise<boolean> {
  const row = await db
    .selectFrom("tasking_order_history")
    .select("version")
    .where("order_id", "=", orderId)
    .where("event", "=", event)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Oldest first. A status changes at most a few times. */
export async function readHistory(db: Db, orderId: string): Promise<readonly HistoryEntry[]> {
  return (await readHistories(db, [orderId])).get(orderId) ?? [];
}

/** The histories of orders, each oldest first. */
export async function readHistories(
  db: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("tasking_order_history")
    .selectAll()
    .where("order_id", "in", orderIds)
    .orderBy("version")
    .execute();
  const entries = rows.map((row): HistoryEntry => ({
    orderId: row.order_id,
    version: row.version,
    event: row.event as OrderEvent | null,
    status: row.status as OrderStatus,
    reasonCode: row.reason_code,
    reasonText: row.reason_text,
    transactionId: row.transaction_id,
    atMs: row.occurred_at.getTime(),
  }));
  return Map.groupBy(entries, ({ orderId }) => orderId);
}
