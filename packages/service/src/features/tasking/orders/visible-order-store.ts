import type { OrderStatus } from "@swath/kernel/tasking/order-status";
import type { Db } from "../../../platform/context.ts";
import type { OrderRow } from "./order-store.ts";
import { isVisible, type OrderViewer } from "./order-viewer.ts";

export async function readVisibleOrder(db: Db, viewer: OrderViewer, orderId: string): Promise<OrderRow | null> {
  const row = await db
    .selectFrom("tasking_orders as o")
    .selectAll()
    .where("o.id", "=", orderId)
    .where(isVisible(viewer))
    .executeTakeFirst();
  return row === undefined ? null : (row as OrderRow);
}

/** Null: of every value. */
export interface OrderFilter {
  /** Identifiers and aliases are resolved: pairs of provider and dataset. */
  readonly datasets: readonly { readonly provider: string; readonly dataset: string }[] | null;
  readonly batchId: string | null;
  /** Of the start of the order, the first inclusive, the second exclusive. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly status: OrderStatus | null;
  readonly taskingType: string | null;
}

/** A page of orders, newest first, with smaller serials than `before`. */
export async function selectVisibleOrders(
  db: Db,
  viewer: OrderViewer,
  { datasets, batchId, fromMs, toMs, status, taskingType }: OrderFilter,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly OrderRow[]> {
  let query = db.selectFrom("tasking_orders as o").selectAll().where(isVisible(viewer));
  if (datasets !== null) {
    query = query.where((where) =>
      where.or(
        datasets.map(({ provider, dataset }) =>
          where.and([where("o.provider", "=", provider), where("o.dataset", "=", dataset)]),
        ),
      ),
    );
  }
  if (batchId !== null) query = query.where("o.batch_id", "=", batchId);
  if (fromMs !== null) query = query.where("o.starts_at", ">=", new Date(fromMs));
  if (toMs !== null) query = query.where("o.starts_at", "<", new Date(toMs));
  if (status !== null) query = query.where("o.status", "=", status);
  if (taskingType !== null) query = query.where("o.tasking_type", "=", taskingType);
  if (before !== null) query = query.where("o.serial", "<", before);
  return (await query.orderBy("o.serial", "desc").limit(limit).execute()) as OrderRow[];
}
