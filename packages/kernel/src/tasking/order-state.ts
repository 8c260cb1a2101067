import type { CaptureStatus, OrderEvent, OrderStatus } from "./order-status.ts";

/**
 * Change of the credit that an order holds.
 * - `none`: the hold stays.
 * - `return`: all of the hold is returned.
 * - `return-less-fee`: the hold without the cancellation fee is returned.
 * - `settle`: captures are charged and the rest is returned.
 * - `return-unused`: captures that the contract charges are charged, and the rest is returned.
 */
export type CreditEffect = "none" | "return" | "return-less-fee" | "settle" | "return-unused";

export interface OrderTransition {
  readonly from: OrderStatus;
  readonly event: OrderEvent;
  readonly to: OrderStatus;
  readonly credit: CreditEffect;
}

/** Status of an order that was just placed; its price is held. */
export const PLACED_STATUS: OrderStatus = "RECEIVED";

/** Every legal transition. A status and an event have at most one. Source: `docs/tasking.md`, state machine. */
export const ORDER_TRANSITIONS: readonly OrderTransition[] = [
  { from: "RECEIVED", event: "accept", to: "PENDING", credit: "none" },
  { from: "RECEIVED", event: "refuse", to: "REJECTED", credit: "return" },
  { from: "RECEIVED", event: "start", to: "IN_PROGRESS", credit: "none" },
  // No provider has accepted the order yet, so its cancellation costs nothing.
  { from: "RECEIVED", event: "cancel", to: "CANCELLED", credit: "return" },
  { from: "RECEIVED", event: "fail", to: "FAILED", credit: "return" },
  { from: "PENDING", event: "start", to: "IN_PROGRESS", credit: "none" },
  { from: "PENDING", event: "cancel", to: "CANCELLED", credit: "return-less-fee" },
  { from: "PENDING", event: "fail", to: "FAILED", credit: "return" },
  { from: "IN_PROGRESS", event: "fulfil", to: "FULFILLED", credit: "settle" },
  { from: "IN_PROGRESS", event: "cancel", to: "CANCELLED", credit: "return-less-fee" },
  { from: "IN_PROGRESS", event: "expire", to: "EXPIRED", credit: "return-unused" },
  { from: "IN_PROGRESS", event: "fail", to: "FAILED", credit: "return" },
];

/** The transition of an event, or null where the event is illegal. */
export function transitionOf(from: OrderStatus, event: OrderEvent): OrderTransition | null {
  return ORDER_TRANSITIONS.find((one) => one.from === from && one.event === event) ?? null;
}

/** Whether no transition leaves the status. */
export function isTerminal(status: OrderStatus): boolean {
  return ORDER_TRANSITIONS.every(({ from }) => from !== status);
}

/** The facts on which a cancellation depends. */
export interface CancellableOrder {
  readonly status: OrderStatus;
  /** First planned capture, milliseconds since 1970, UTC; null while none is planned. */
  readonly scheduledMs: number | null;
  /** Of the contract, hours before the first planned capture, >= 0. */
  readonly cancelCutoffHours: number;
  readonly captureStatuses: readonly CaptureStatus[];
}

const HOUR_MS = 3_600_000;
const IMAGED: ReadonlySet<CaptureStatus> = new Set(["PROCESSING", "PUBLISHED"]);

/**
 * Whether the owner may still cancel an order: the order is open, nothing was imaged for it, and the first planned
 * capture is more than the cut-off away. Without a planned capture there is no cut-off.
 *
 * @param nowMs the present of the order, milliseconds since 1970, UTC
 */
export function isCancellable(order: CancellableOrder, nowMs: number): boolean {
  if (isTerminal(order.status)) return false;
  if (order.captureStatuses.some((status) => IMAGED.has(status))) return false;
  return order.scheduledMs === null || nowMs < order.scheduledMs - order.cancelCutoffHours * HOUR_MS;
}
