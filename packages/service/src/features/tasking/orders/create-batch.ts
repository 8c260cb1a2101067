import type { CreateBatchRequest } from "@swath/contract/features/tasking/order-contract";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { recurringIntervals, type Recurrence } from "@swath/kernel/tasking/recurrence";
import canonicalize from "canonicalize";
import type { Caller } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { agreeOrder } from "../parameters/agreed-order.ts";
import { invalidMember } from "../contracts/invalid-members.ts";
import { quoteOrder } from "../price/quote-order.ts";
import { createOne, type CreateDeps } from "./create-order.ts";
import { newOrder, recurringOrder } from "./new-order.ts";
import { batchIdOf, orderRequestKey } from "./order-request-key.ts";
import { readOrdersOfRequests, type OrderRow } from "./order-store.ts";
import { placeOrder } from "./place-order.ts";

/** An order of a batch that was not placed. */
interface FailedOrder {
  readonly index: number;
  readonly dataset: string;
  readonly error: string;
  readonly errorMessage: string;
}

export interface PlacedBatch {
  readonly batchId: string;
  readonly placed: readonly OrderRow[];
  readonly failedOrders: readonly FailedOrder[];
}

/** Places each order in a separate transaction; a batch that is repeated after a crash goes on where it ended. */
export async function createBatch(deps: CreateDeps, caller: Caller, request: CreateBatchRequest): Promise<PlacedBatch> {
  const orders = namedOrders(request);
  requireDifferent(orders);
  const batchId = batchIdOf(caller.userId, request);
  const { recurrence } = request;
  const placed: OrderRow[] = [];
  const failedOrders: FailedOrder[] = [];
  for (const [index, order] of orders.entries()) {
    try {
      const path = `/params/${index}`;
      if (recurrence === undefined) placed.push(await createOne(deps, caller, { order, batchId, path }));
      else placed.push(...(await createRecurring(deps, caller, { order, batchId, path, recurrence })));
    } catch (error) {
      // Anything else is no fault of this order: the whole request fails and may be repeated.
      if (!(error instanceof ServiceError) || error.code === "SERVICE-UNAVAILABLE") throw error;
      failedOrders.push({ index, dataset: order.dataset, error: error.code, errorMessage: error.message });
    }
  }
  return { batchId, placed, failedOrders };
}

function namedOrders({ params, name, recurrence }: CreateBatchRequest): readonly PlacedOrder[] {
  if (recurrence !== undefined && params.length !== 1) {
    throw invalidMember("/recurrence", `needs exactly one order in params, got ${params.length}`);
  }
  return params.map((order, index) => {
    const named = order.name ?? name;
    if (named === undefined) throw invalidMember(`/params/${index}/name`, "is missing, as is the name of the batch");
    return { ...order, name: named };
  });
}

/** Equal orders would be one: whoever sends two wants two. */
function requireDifferent(orders: readonly PlacedOrder[]): void {
  const seen = new Map<string, number>();
  for (const [index, order] of orders.entries()) {
    const key = canonicalize(order) ?? "";
    const first = seen.get(key);
    if (first !== undefined)
      throw invalidMember(`/params/${index}`, `equals /params/${first}; another name sets it apart`);
    seen.set(key, index);
  }
}

interface RecurringRequest {
  readonly order: PlacedOrder;
  readonly batchId: string;
  readonly path: string;
  readonly recurrence: Recurrence;
}

/** All orders of a recurrence, in one transaction. */
async function createRecurring(
  deps: CreateDeps,
  caller: Caller,
  { recurrence, order, batchId, path }: RecurringRequest,
): Promise<readonly OrderRow[]> {
  const keys = Array.from({ length: recurrence.count }, (_, index) =>
    orderRequestKey({ userId: caller.userId, parameters: order, child: { recurrence, index } }),
  );
  const stored = await readOrdersOfRequests(deps.db, keys);
  if (stored.length === keys.length) return stored;
  const quote = await quoteOrder(deps, caller, order, path);
  const intervals = recurringIntervals({ startMs: quote.interval.fromMs, endMs: quote.interval.toMs }, recurrence);
  const at = deps.clock.now();
  const { startMs: fromMs, endMs: toMs } = intervals.at(-1) ?? {
    startMs: quote.interval.fromMs,
    endMs: quote.interval.toMs,
  };
  // The contract must last until the end of the last order.
  const last = { nowMs: at.getTime(), path, purpose: "order" as const, intervalOf: () => ({ fromMs, toMs }) };
  await agreeOrder(deps, caller, order, last);
  const first = newOrder(quote, { caller, order, requestKey: "", batchId, at });
  const rows = intervals.map((interval, index) =>
    recurringOrder(first, quote, { recurrence, index, interval, requestKey: keys[index] ?? "" }),
  );
  return await inTransaction(deps.db, async (trx) => {
    const placed: OrderRow[] = [];
    for (const row of rows) placed.push(await placeOrder(deps.credits, trx, row));
    return placed;
  });
}
