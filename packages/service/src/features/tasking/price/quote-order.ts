import type { Clock } from "@swath/base/clock";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../../platform/context.ts";
import { invalidMember } from "../contracts/invalid-members.ts";
import { studiedOrder } from "../feasibility/window-of-offer.ts";
import { readWindow, type StoredWindow, type StudiedOrder } from "../feasibility/window-store.ts";
import { agreeOrder, type AgreeDeps, type AgreedOrder } from "../parameters/agreed-order.ts";
import { orderInterval } from "../parameters/requested-interval.ts";

export interface QuoteDeps extends AgreeDeps {
  readonly clock: Clock;
}

/** An order that can be placed, and its charge. */
export interface OrderQuote extends AgreedOrder {
  readonly window: StoredWindow;
  readonly micro: MicroCredits;
  /** Charged area, whole square metres. */
  readonly areaM2: number;
}

/**
 * The charge of an order: the price of its window. Credit checks answer it and orders are charged by it.
 *
 * @param path of the order in its request, such as `/params/0`; empty for the request itself
 * @throws {ServiceError} VALIDATION-ERROR, EXTENT-TOO-LARGE; NON-EXISTENT-WINDOW for windows of others and expired ones
 */
export async function quoteOrder(deps: QuoteDeps, caller: Caller, order: PlacedOrder, path = ""): Promise<OrderQuote> {
  const nowMs = deps.clock.now().getTime();
  const window = await readWindow(deps.db, order.windowId, caller);
  if (window === null) {
    throw new ServiceError(
      "NON-EXISTENT-WINDOW",
      `${path}/windowId: there is no window ${order.windowId} of the caller`,
    );
  }
  if (window.expiresMs <= nowMs) {
    const at = new Date(window.expiresMs).toISOString();
    throw new ServiceError("NON-EXISTENT-WINDOW", `${path}/windowId: the window expired at ${at}; ask for a new study`);
  }
  const span = { fromMs: window.startMs, toMs: window.endMs };
  const agreed = await agreeOrder(deps, caller, order, {
    nowMs,
    path,
    purpose: "order",
    intervalOf: ({ info }) =>
      orderInterval(order, info, { interval: window.study.interval, window: span }, nowMs, path),
  });
  requireSame(window.study, studiedOrder(agreed), path);
  return { ...agreed, window, micro: window.micro, areaM2: window.areaM2 };
}

/** The window was computed and priced for these members; an order with others needs another window. */
const SAME_MEMBERS: readonly (readonly ["provider" | "dataset" | "priority" | "contractId", string])[] = [
  ["provider", "/provider"],
  ["dataset", "/dataset"],
  ["priority", "/priority"],
  ["contractId", "/orderOptions/contractId"],
];

function requireSame(study: StudiedOrder, order: StudiedOrder, path: string): void {
  for (const [member, at] of SAME_MEMBERS) {
    if (study[member] === order[member]) continue;
    throw invalidMember(`${path}${at}`, `is ${order[member]}, expected ${study[member]} of the window`);
  }
  if (JSON.stringify(study.originalGeometry) !== JSON.stringify(order.originalGeometry)) {
    throw invalidMember(`${path}/geometry`, "differs from the geometry of the window; ask for a new study");
  }
  if (study.payerGroupId === order.payerGroupId) return;
  throw new ServiceError(
    "NON-EXISTENT-WINDOW",
    `${path}/windowId: the window was priced for the group ${study.payerGroupId}, and ${order.payerGroupId} pays; ` +
      "ask for a new study",
  );
}
