import type { CreateOrderRequest } from "@swath/contract/features/tasking/order-contract";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import canonicalize from "canonicalize";
import type { Caller } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { CreditHolds } from "../../credits/holds.ts";
import { quoteOrder, type QuoteDeps } from "../price/quote-order.ts";
import { newOrder } from "./new-order.ts";
import { orderRequestKey } from "./order-request-key.ts";
import { readOrderOfRequest, type OrderRow } from "./order-store.ts";
import { placeOrder, requireEqual } from "./place-order.ts";

export interface CreateDeps extends QuoteDeps {
  readonly credits: Pick<CreditHolds, "preallocate">;
}

export interface CreatedOrder {
  readonly order: PlacedOrder;
  readonly idempotencyKey?: string | undefined;
  readonly batchId: string | null;
  /** In its request, such as `/params/0`; empty for the request itself. */
  readonly path: string;
}

export function createOrder(deps: CreateDeps, caller: Caller, request: CreateOrderRequest): Promise<OrderRow> {
  const { idempotencyKey, ...order } = request;
  return createOne(deps, caller, { order, idempotencyKey, batchId: null, path: "" });
}

/** One order; a repeated request returns the stored one, also when its window has expired meanwhile. */
export async function createOne(
  deps: CreateDeps,
  caller: Caller,
  { order, idempotencyKey, batchId, path }: CreatedOrder,
): Promise<OrderRow> {
  const requestKey = orderRequestKey({ userId: caller.userId, parameters: order, idempotencyKey });
  const earlier = await readOrderOfRequest(deps.db, requestKey);
  if (earlier !== null) return requireEqual(earlier, { parameters: canonicalize(order) ?? "" });
  return await placeQuoted(deps, caller, { order, requestKey, batchId, path, foreignRequest: null });
}

/** An order that no earlier request has made. */
export interface NewRequest extends Pick<CreatedOrder, "batchId" | "order" | "path"> {
  readonly requestKey: string;
  /** As a dialect sent it, in canonical form; null of our requests. */
  readonly foreignRequest: string | null;
}

/** Prices an order by its window, and places it. */
export async function placeQuoted(
  deps: CreateDeps,
  caller: Caller,
  { order, requestKey, batchId, path, foreignRequest }: NewRequest,
): Promise<OrderRow> {
  const quote = await quoteOrder(deps, caller, order, path);
  const placed = newOrder(quote, { caller, order, requestKey, batchId, at: deps.clock.now() });
  const row = { ...placed, foreign_request: foreignRequest };
  return await inTransaction(deps.db, (trx) => placeOrder(deps.credits, trx, row));
}
