import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { applyOrderEvent, type ApplyEventDeps } from "./apply-event.ts";
import { captureStatusesOf } from "./capture-store.ts";
import { mayCancel } from "./order-answer.ts";
import { lockOrder, requestCancellation, type OrderRow } from "./order-store.ts";

export interface CancelDeps extends ApplyEventDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The present of an order, milliseconds since 1970, UTC. */
  readonly presentOf: (order: OrderRow) => number;
}

/**
 * Notes the wish to cancel an order. An order that no provider can know is CANCELLED at once; others when the provider
 * confirms. A repeated request changes nothing.
 *
 * @throws {ServiceError} ILLEGAL-STATE-TRANSITION for an order that is over, imaged or past the cut-off
 */
export async function cancelOrder(deps: CancelDeps, orderId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order === null) throw new ServiceError("NON-EXISTENT-ORDER", `there is no order ${orderId}`);
    if (order.status === "CANCELLED" || order.cancel_requested_at !== null) return;
    const nowMs = deps.presentOf(order);
    const captureStatuses = (await captureStatusesOf(trx, [orderId])).get(orderId) ?? [];
    if (!mayCancel(order, { nowMs, captureStatuses })) throw tooLate(order, nowMs);
    await requestCancellation(trx, orderId, deps.clock.now());
    if (!isUnknownToProvider(order)) return;
    const reason = { reasonCode: "user_cancelled", reasonText: null };
    await applyOrderEvent(deps, trx, { orderId, event: "cancel", atMs: nowMs, ...reason });
  });
}

/** Nobody has begun to send the order: a try that was cut short may have reached the provider. */
function isUnknownToProvider(order: OrderRow): boolean {
  return order.provider_order_id === null && order.poll_claimed_until === null && order.poll_failures === 0;
}

function tooLate(order: OrderRow, nowMs: number): ServiceError {
  const at = order.scheduled_at;
  const planned =
    at === null
      ? "no capture may be in work"
      : `the first capture is planned at ${at.toISOString()} and the cut-off is ${order.cancel_cutoff_hours} h before`;
  return new ServiceError(
    "ILLEGAL-STATE-TRANSITION",
    `the order ${order.id} is ${order.status} and cannot be cancelled at ${new Date(nowMs).toISOString()}: it must be ` +
      `open, and ${planned}`,
  );
}
