import { squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Trx } from "../../../platform/context.ts";
import type { CreditHolds } from "../../credits/holds.ts";
import { recordOrderStatus } from "./order-event.ts";
import { insertHistory } from "./order-history-store.ts";
import { countOpenOrders, insertOrder, readOrderOfRequest, type NewOrderRow, type OrderRow } from "./order-store.ts";

/** Simulated captures are free: without a bound one user could keep all workers busy. */
const MAX_OPEN_ORDERS = 1_000;

/**
 * Stores an order and holds its price, in the caller's transaction. A repeated request returns the stored order.
 *
 * @throws {ServiceError} INSUFFICIENT-CREDIT, USER-CREDIT-LIMIT, LICENSE-EXPIRED, NOT-AUTHORIZED without a group;
 *   CONFLICT for an idempotency key of another request, and for one open order too many
 */
export async function placeOrder(
  credits: Pick<CreditHolds, "preallocate">,
  trx: Trx,
  order: NewOrderRow,
): Promise<OrderRow> {
  const row = await insertOrder(trx, order);
  if (row === null) {
    const earlier = await readOrderOfRequest(trx, order.request_key);
    if (earlier === null) throw new Error(`the order of the request ${order.request_key} vanished`);
    return requireEqual(earlier, order);
  }
  const { transactionId } = await credits.preallocate(trx, {
    caller: { userId: row.owner_id, groupId: row.paying_group_id },
    orderReferenceId: row.id,
    provider: row.provider,
    dataset: row.dataset,
    areaKm2: squareMetresToKm2(row.area_m2),
    micro: BigInt(row.price_micro),
  });
  // The accounts that the hold has locked keep orders of one user in turn.
  if ((await countOpenOrders(trx, row.owner_id)) > MAX_OPEN_ORDERS) {
    throw new ServiceError(
      "CONFLICT",
      `you have ${MAX_OPEN_ORDERS} open orders already: cancel one, or wait for its end`,
    );
  }
  await insertHistory(trx, {
    orderId: row.id,
    version: row.version,
    event: null,
    status: row.status,
    reasonCode: null,
    reasonText: null,
    transactionId,
    atMs: row.created_at.getTime(),
  });
  await recordOrderStatus(trx, row, { code: null, text: null });
  return row;
}

/** The texts that requests are compared by. */
type Compared = Pick<NewOrderRow, "foreign_request" | "parameters">;

/** An order for the same request, as the dialect sent it where one did. @throws {ServiceError} CONFLICT */
export function requireEqual(order: OrderRow, { foreign_request: sent = null, parameters }: Compared): OrderRow {
  if (sent === null ? order.parameters === parameters : order.foreign_request === sent) return order;
  throw new ServiceError(
    "CONFLICT",
    `the idempotency key belongs to the order ${order.id}, which has other parameters`,
  );
}
