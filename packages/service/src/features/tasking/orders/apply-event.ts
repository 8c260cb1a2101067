import { squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { OrderEvent } from "@swath/kernel/tasking/order-status";
import { transitionOf } from "@swath/kernel/tasking/order-state";
import type { Trx } from "../../../platform/context.ts";
import type { CreditHolds } from "../../credits/holds.ts";
import { changeHold, type ChargedCaptures } from "./change-hold.ts";
import { recordOrderStatus } from "./order-event.ts";
import { hasHappened, insertHistory } from "./order-history-store.ts";
import { lockOrder, moveOrder, type OrderRow } from "./order-store.ts";

export interface AppliedOrderEvent {
  readonly orderId: string;
  readonly event: OrderEvent;
  /** When the event happened in the present of the order, milliseconds since 1970, UTC. */
  readonly atMs: number;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  /** For `fulfil` and `expire`; without it `fulfil` charges the price and `expire` nothing. */
  readonly captured?: ChargedCaptures;
}

export interface ApplyEventDeps {
  readonly credits: Pick<CreditHolds, "updateHold" | "returnHold">;
}

/** An order after an event. */
export interface EventOutcome {
  readonly order: OrderRow;
  /** False for an event that happened before. */
  readonly isNew: boolean;
}

/**
 * Applies an event to an order: locks its row, then the rows of its credit, and writes status, history and credit in the
 * caller's transaction. No other function changes a status. An event that happened before changes nothing.
 *
 * @throws {ServiceError} NON-EXISTENT-ORDER; ILLEGAL-STATE-TRANSITION
 */
export async function applyOrderEvent(
  { credits }: ApplyEventDeps,
  trx: Trx,
  { orderId, event, atMs, reasonCode, reasonText, captured }: AppliedOrderEvent,
): Promise<EventOutcome> {
  const order = await lockOrder(trx, orderId);
  if (order === null) throw new ServiceError("NON-EXISTENT-ORDER", `there is no order ${orderId}`);
  const transition = transitionOf(order.status, event);
  if (transition === null) {
    if (await hasHappened(trx, orderId, event)) return { order, isNew: false };
    throw new ServiceError("ILLEGAL-STATE-TRANSITION", `the order ${orderId} is ${order.status}: ${event} is illegal`);
  }
  const price = { micro: BigInt(order.price_micro), areaKm2: squareMetresToKm2(order.area_m2) };
  const transactionId = await changeHold(credits, trx, {
    orderReferenceId: orderId,
    effect: transition.credit,
    price,
    // Only an owner who asked for the cancellation pays the fee.
    feeShare: order.cancel_requested_at === null ? 0 : order.cancel_fee_share,
    captured: captured ?? null,
  });
  const moved = await moveOrder(trx, order, transition.to, new Date(atMs));
  await insertHistory(trx, {
    orderId,
    version: moved.version,
    event,
    status: moved.status,
    reasonCode,
    reasonText,
    transactionId,
    atMs,
  });
  await recordOrderStatus(trx, moved, { code: reasonCode, text: reasonText });
  return { order: moved, isNew: true };
}
