import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { ServiceError } from "@swath/kernel/errors/service-error";
import canonicalize from "canonicalize";
import type { Caller } from "../../../platform/context.ts";
import { readWindow, type StoredWindow } from "../feasibility/window-store.ts";
import { placeQuoted, type CreateDeps } from "./create-order.ts";
import { orderRequestKey } from "./order-request-key.ts";
import { readOrderOfRequest, type OrderRow } from "./order-store.ts";
import { requireEqual } from "./place-order.ts";

/** An order in the words of a dialect. */
export interface ForeignOrder {
  /** The request as it was sent: a repeated one is known by it. */
  readonly sent: object;
  readonly idempotencyKey?: string | undefined;
  readonly windowId: string;
  /** The order that the request stands for in its window. */
  readonly orderIn: (window: StoredWindow) => Promise<PlacedOrder>;
}

/**
 * The order of a dialect, priced and placed as any other. A repeated request returns the stored order, also when its
 * window has expired meanwhile.
 *
 * @throws {ServiceError} as `quoteOrder` and `placeOrder`
 */
export async function createForeignOrder(
  deps: CreateDeps,
  caller: Caller,
  { sent, idempotencyKey, windowId, orderIn }: ForeignOrder,
): Promise<OrderRow> {
  const foreignRequest = canonicalize(sent) ?? "";
  const requestKey = orderRequestKey({ userId: caller.userId, parameters: { sent }, idempotencyKey });
  const earlier = await readOrderOfRequest(deps.db, requestKey);
  if (earlier !== null) return requireEqual(earlier, { parameters: "", foreign_request: foreignRequest });
  const window = await readWindow(deps.db, windowId, caller);
  if (window === null) {
    throw new ServiceError("NON-EXISTENT-WINDOW", `/windowId: there is no window ${windowId} of the caller`);
  }
  return await placeQuoted(deps, caller, {
    order: await orderIn(window),
    requestKey,
    batchId: null,
    path: "",
    foreignRequest,
  });
}
