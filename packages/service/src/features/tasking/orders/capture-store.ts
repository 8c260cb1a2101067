import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import type { Selectable } from "kysely";
import type { Db } from "../../../platform/context.ts";
import type { TaskingTables } from "../../../platform/postgres/tables/tasking.ts";

export interface CaptureRow extends Selectable<TaskingTables["tasking_captures"]> {
  readonly status: CaptureStatus;
}

/** A page of the captures of an order, oldest first, with larger serials than `after`; planned ones are left out. */
export async function selectCaptures(
  db: Db,
  orderId: string,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<readonly CaptureRow[]> {
  let query = db
    .selectFrom("tasking_captures")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("status", "<>", "SCHEDULED");
  if (after !== null) query = query.where("serial", ">", after);
  return (await query.orderBy("serial").limit(limit).execute()) as CaptureRow[];
}

/** Scenes of a page of orders: more than providers deliver. */
const MAX_SCENES_OF_PAGE = 5_000;

/** The ingested scenes of orders, in the order of their captures; orders without any are absent. */
export async function ingestedScenesOf(
  db: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("tasking_captures")
    .select(["order_id", "ingested_scenes"])
    .where("order_id", "in", orderIds)
    .where("ingested_scenes", "<>", "[]")
    .orderBy("serial")
    .limit(MAX_SCENES_OF_PAGE)
    .execute();
  const scenes = rows.flatMap((row) => {
    const ingested: readonly { readonly id: string }[] = JSON.parse(row.ingested_scenes);
    return ingested.map(({ id }) => ({ orderId: row.order_id, id }));
  });
  const byOrder = Map.groupBy(scenes, ({ orderId }) => orderId);
  return new Map([...byOrder].map(([orderId, own]) => [orderId, own.map(({ id }) => id)]));
}

/** The different statuses of the captures of each order; orders without captures are absent. */
export async function captureStatusesOf(
  db: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CaptureStatus[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("tasking_captures")
    .select(["order_id", "status"])
    .distinct()
    .where("order_id", "in", orderIds)
    .execute();
  const byOrder = Map.groupBy(rows, (row) => row.order_id);
  return new Map([...byOrder].map(([id, of]) => [id, of.map(({ status }) => status as CaptureStatus)]));
}
