import type { OrderProgress } from "../tasking-provider.ts";
import type { StapiStatus } from "./order-document.ts";

/** State of an order by status code. Codes that are not listed leave the order as it is. */
const STATES: Readonly<Record<string, OrderProgress["state"]>> = {
  received: "received",
  // The provider waits for a payment or a person: nothing is promised yet.
  reserved: "received",
  held: "received",
  accepted: "accepted",
  scheduled: "accepted",
  tasked: "accepted",
  processing: "accepted",
  rejected: "refused",
  completed: "completed",
  cancelled: "failed",
  user_cancelled: "cancelled",
  expired: "expired",
  failed: "failed",
};

const OPEN: readonly (OrderProgress["state"] | undefined)[] = ["received", "accepted", undefined];
/** Codes after which a time of imaging is planned. */
const PLANNED = new Set(["scheduled", "tasked", "processing", "completed"]);

/** The state of an order and the status that decides it. */
export interface DecidedState {
  readonly state: OrderProgress["state"];
  readonly by: StapiStatus;
  /** Whether a time of imaging is planned. */
  readonly isPlanned: boolean;
}

/**
 * The state that the statuses of an order say together, whatever their order and however often each is there. An order
 * that has ended stays ended, by its earliest end; one that was accepted is not received again. A provider that cancels
 * without being asked fails.
 *
 * @param current status of the order itself
 * @param cancelAsked whether the service has asked for the cancellation
 */
export function decideState(current: StapiStatus, history: readonly StapiStatus[], cancelAsked: boolean): DecidedState {
  const statuses = [...history, current].toSorted((a, b) => a.atMs - b.atMs);
  const isPlanned = statuses.some(({ code }) => PLANNED.has(code));
  const ended = statuses.find(({ code }) => !OPEN.includes(STATES[code]));
  if (ended !== undefined) return { state: endOf(ended, cancelAsked), by: ended, isPlanned };
  const accepted = statuses.findLast(({ code }) => STATES[code] === "accepted");
  return accepted === undefined
    ? { state: "received", by: current, isPlanned }
    : { state: "accepted", by: accepted, isPlanned };
}

function endOf({ code }: StapiStatus, cancelAsked: boolean): OrderProgress["state"] {
  if (code === "cancelled" && cancelAsked) return "cancelled";
  return STATES[code] ?? "failed";
}
