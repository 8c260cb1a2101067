import type { OrderEvent, OrderStatus } from "@swath/kernel/tasking/order-status";
import type { OrderProgress } from "../../../tasking-providers/tasking-provider.ts";

/** The facts that decide what happens to an order. Times are of its present, milliseconds since 1970, UTC. */
export interface OrderFacts {
  readonly presentMs: number;
  readonly startsMs: number;
  readonly endsMs: number;
  /** Whether a capture that fulfils the order is in the store, with all others that were delivered. */
  readonly isFulfilled: boolean;
  /** Whether a capture is being made or delivered. */
  readonly isRunning: boolean;
}

/** An event and the provider's reason for it. */
export interface DueEvent {
  readonly event: OrderEvent;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
}

type Told = Pick<OrderProgress, "state" | "reasonCode" | "reasonText">;

/** An answer may be older than the present of an order: it is waited for so long after the end of the order. */
export const EXPIRY_GRACE_MS = 3 * 86_400_000;

/** The next event of an order, or null when there is none. Repeated until then, it brings an order up to date. */
export function nextEvent(status: OrderStatus, told: Told, facts: OrderFacts): DueEvent | null {
  if (status === "RECEIVED") return ofReceived(told, facts);
  if (status === "PENDING") return ofPending(told, facts);
  return status === "IN_PROGRESS" ? ofInProgress(told, facts) : null;
}

function ofReceived(told: Told, facts: OrderFacts): DueEvent | null {
  const { state } = told;
  if (state === "refused") return due("refuse", told);
  if (state === "cancelled") return due("cancel", told);
  if (state === "failed") return due("fail", told);
  if (state === "received") {
    const reason = "the provider has not taken the order before its end";
    return facts.presentMs < facts.endsMs ? null : ours("fail", "no_answer", reason);
  }
  return state === "accepted" && facts.presentMs < facts.startsMs ? due("accept", told) : ours("start", null, null);
}

function ofPending(told: Told, { presentMs, startsMs }: OrderFacts): DueEvent | null {
  const { state } = told;
  if (state === "cancelled") return due("cancel", told);
  if (state === "refused" || state === "failed") return due("fail", told);
  const isOver = state === "completed" || state === "expired";
  return isOver || presentMs >= startsMs ? ours("start", null, null) : null;
}

function ofInProgress(told: Told, { isFulfilled, isRunning, presentMs, endsMs }: OrderFacts): DueEvent | null {
  const { state } = told;
  if (isFulfilled) return due("fulfil", told);
  if (state === "cancelled") return due("cancel", told);
  if (state === "refused" || state === "failed") return due("fail", told);
  if (isRunning) return null;
  if (state === "expired") return due("expire", told);
  if (state === "completed") {
    return ours("fail", "nothing_delivered", "the provider completed the order without a scene");
  }
  if (presentMs < endsMs + EXPIRY_GRACE_MS) return null;
  return ours("expire", "end_of_order", "no capture fulfilled the order before its end");
}

function due(event: OrderEvent, { reasonCode, reasonText }: Told): DueEvent {
  return { event, reasonCode, reasonText };
}

function ours(event: OrderEvent, reasonCode: string | null, reasonText: string | null): DueEvent {
  return { event, reasonCode, reasonText };
}
