import { ServiceError } from "@swath/kernel/errors/service-error";
import { isTerminal } from "@swath/kernel/tasking/order-state";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { OrderProgress, TaskingProvider, TaskingProviders } from "../../../tasking-providers/tasking-provider.ts";
import { lockOrder, type OrderRow } from "../orders/order-store.ts";
import { bringUpToDate, pendingDeliveries } from "./bring-up-to-date.ts";
import { writePlan, writeProviderOrder } from "./claim-store.ts";
import { deliverCapture, type DeliverDeps } from "./deliver-capture.ts";
import { submittedOrder } from "./submitted-order.ts";
import { distinctCaptures, readCaptures, storeCaptures } from "./told-captures.ts";

export interface PollDeps extends DeliverDeps {
  readonly taskingProviders: Pick<TaskingProviders, "providerOf">;
  /** Longest time of one call to a provider. */
  readonly callMs: number;
}

/** A provider that does not answer for so long after the end of an order has lost it: its credit is given back. */
const PATIENCE_MS = 30 * 86_400_000;

interface Asked {
  readonly order: OrderRow;
  readonly provider: TaskingProvider;
  readonly presentOf: () => number;
}

/**
 * Asks the provider of an order for news once and stores them: submits an order that it does not have, passes on a wish
 * to cancel, applies the events that are due, and ingests what is delivered.
 *
 * @param delivers whether files are ingested, which takes seconds to minutes
 * @returns when to ask again
 * @throws {ServiceError} SERVICE-UNAVAILABLE while the provider does not answer
 */
export async function pollOrder(
  deps: PollDeps,
  order: OrderRow,
  delivers: boolean,
  signal: AbortSignal,
): Promise<Date> {
  const provider = deps.taskingProviders.providerOf(order.provider, order.dataset);
  if (provider === null) {
    throw new ServiceError("SERVICE-UNAVAILABLE", `nobody takes orders for ${order.dataset} of ${order.provider}`);
  }
  const createdMs = order.created_at.getTime();
  const asked: Asked = { order, provider, presentOf: () => provider.presentOf({ createdMs }) };
  const { told, keepsCancellation } = await askProvider(deps, asked, signal).catch((error: unknown) => {
    if (signal.aborted || asked.presentOf() < order.ends_at.getTime() + PATIENCE_MS) throw error;
    return { told: endedAs(deps, "failed", "no_answer", String(error)), keepsCancellation: true };
  });
  const updated = await storeNews(deps, asked, told, keepsCancellation);
  if (delivers && !isTerminal(updated.status)) await deliverAll(deps, asked, told, signal);
  const isWaiting = !delivers && pendingDeliveries(told, await readCaptures(deps.db, order.id)).length > 0;
  return isWaiting ? deps.clock.now() : nextQuestion(deps, asked, told);
}

interface Answer {
  readonly told: OrderProgress;
  /** False when the provider does not cancel the order. */
  readonly keepsCancellation: boolean;
}

async function askProvider(deps: PollDeps, { order, provider }: Asked, signal: AbortSignal): Promise<Answer> {
  const submitted = submittedOrder(order);
  const within = (): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(deps.callMs)]);
  let providerOrderId = order.provider_order_id;
  if (providerOrderId === null) {
    try {
      providerOrderId = await provider.submit(submitted, within());
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "BAD-REQUEST") throw error;
      return { told: endedAs(deps, "refused", "invalid_order", error.message), keepsCancellation: true };
    }
    await writeProviderOrder(deps.db, order.id, providerOrderId);
  }
  const keepsCancellation = await cancelWanted(order, () => provider.cancel(submitted, providerOrderId, within()));
  const told = await provider.poll(submitted, providerOrderId, within());
  return { told: { ...told, captures: distinctCaptures(told.captures) }, keepsCancellation };
}

/** @returns false when the provider does not cancel the order */
async function cancelWanted(order: OrderRow, cancel: () => Promise<void>): Promise<boolean> {
  if (order.cancel_requested_at === null) return true;
  try {
    await cancel();
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "ILLEGAL-STATE-TRANSITION") return false;
    throw error;
  }
}

/** An answer in place of the provider's. */
function endedAs(
  { clock }: PollDeps,
  state: "failed" | "refused",
  reasonCode: string,
  reasonText: string,
): OrderProgress {
  return { state, reasonCode, reasonText, scheduledMs: null, captures: [], askAgainMs: clock.now().getTime() };
}

async function storeNews(
  deps: PollDeps,
  { order, presentOf }: Asked,
  told: OrderProgress,
  keepsCancellation: boolean,
): Promise<OrderRow> {
  return await inTransaction(deps.db, async (trx) => {
    const current = await lockOrder(trx, order.id);
    if (current === null || isTerminal(current.status)) return current ?? order;
    await storeCaptures(trx, current, told.captures, deps.clock.now(), told.state === "completed");
    const scheduledAt = told.scheduledMs === null ? current.scheduled_at : new Date(told.scheduledMs);
    await writePlan(trx, order.id, { scheduledAt, keepsCancellation });
    return await bringUpToDate(deps, trx, order.id, told, presentOf());
  });
}

/** One file after the other: each fills memory and processors. Afterwards a failed file may decide the order. */
async function deliverAll(
  deps: PollDeps,
  { order, presentOf }: Asked,
  told: OrderProgress,
  signal: AbortSignal,
): Promise<void> {
  const pending = pendingDeliveries(told, await readCaptures(deps.db, order.id));
  for (const capture of pending) {
    signal.throwIfAborted();
    const delivery = told.captures.find(({ captureId }) => captureId === capture.provider_capture_id)?.delivery ?? null;
    if (delivery !== null) await deliverCapture(deps, { order, capture, delivery, told, presentOf }, signal);
  }
  if (pending.length === 0) return;
  await inTransaction(deps.db, async (trx) => {
    const current = await lockOrder(trx, order.id);
    if (current !== null && !isTerminal(current.status)) await bringUpToDate(deps, trx, order.id, told, presentOf());
  });
}

/** When the provider wants to be asked again, but no later than the beginning or the end of the order. */
function nextQuestion({ clock }: PollDeps, { order, presentOf }: Asked, { askAgainMs }: OrderProgress): Date {
  const presentMs = presentOf();
  const nowMs = clock.now().getTime();
  const borders = [order.starts_at, order.ends_at]
    .map((at) => at.getTime() - presentMs)
    .filter((ms) => ms > 0)
    .map((ms) => nowMs + ms);
  return new Date(Math.max(nowMs, Math.min(askAgainMs, ...borders)));
}
