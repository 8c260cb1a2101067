import { randomUUID } from "node:crypto";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { PLACED_STATUS } from "@swath/kernel/tasking/order-state";
import type { OrderInterval, Recurrence } from "@swath/kernel/tasking/recurrence";
import canonicalize from "canonicalize";
import type { Caller } from "../../../platform/context.ts";
import type { NewOrderRow } from "./order-store.ts";
import type { StoredOffer } from "../feasibility/window-store.ts";
import type { OrderQuote } from "../price/quote-order.ts";

/** Facts that a provider needs to take an order: the JSON of the column `offer`. */
interface OrderedOffer extends StoredOffer {
  /** The chosen pass, or the whole interval of an order without one. */
  readonly window: { readonly startMs: number; readonly endMs: number };
}

/** The members of a row that are not in the quote. */
export interface PlacedRequest {
  readonly caller: Pick<Caller, "userId" | "groupId">;
  readonly order: PlacedOrder;
  readonly requestKey: string;
  readonly batchId: string | null;
  readonly at: Date;
}

/** The row of an order in the window of its study. */
export function newOrder(quote: OrderQuote, { caller, order, requestKey, batchId, at }: PlacedRequest): NewOrderRow {
  const { plan, window, interval, terms, payerGroupId, micro, areaM2 } = quote;
  const { startMs, endMs } = window;
  return {
    id: randomUUID(),
    name: order.name,
    provider: plan.tasked.provider.id,
    dataset: plan.tasked.dataset.dataset,
    owner_id: caller.userId,
    group_id: caller.groupId,
    paying_group_id: payerGroupId,
    window_id: window.windowId,
    batch_id: batchId,
    geometry: JSON.stringify(window.geometry),
    original_geometry: JSON.stringify(plan.originalGeometry),
    starts_at: new Date(interval.fromMs),
    ends_at: new Date(interval.toMs),
    status: PLACED_STATUS,
    tasking_type: plan.taskingType,
    priority: plan.priority,
    parameters: canonicalize(order) ?? "{}",
    offer: JSON.stringify({ ...window.offer, window: { startMs, endMs } } satisfies OrderedOffer),
    contract_id: terms.contractId,
    project_name: order.projectName ?? null,
    analysis_id: order.analysisId ?? null,
    max_cloud_cover: plan.maxCloudCover,
    area_m2: String(areaM2),
    price_micro: String(micro),
    cancel_cutoff_hours: terms.cancelCutoffHours,
    cancel_fee_share: terms.cancelFeeShare,
    // A chosen pass is planned from the start; other orders learn of theirs from the provider.
    scheduled_at: plan.taskingType === "assured" ? new Date(startMs) : null,
    request_key: requestKey,
    poll_due_at: at,
    created_at: at,
    updated_at: at,
  };
}

/** A further order of a recurrence: no window was computed for it, any pass within its interval will do. */
export function recurringOrder(
  first: NewOrderRow,
  quote: OrderQuote,
  child: {
    readonly recurrence: Recurrence;
    readonly index: number;
    readonly interval: OrderInterval;
    readonly requestKey: string;
  },
): NewOrderRow {
  const recurrence = { recurrence: JSON.stringify(child.recurrence), request_key: child.requestKey };
  if (child.index === 0) return { ...first, ...recurrence };
  const { startMs, endMs } = child.interval;
  return {
    ...first,
    ...recurrence,
    id: randomUUID(),
    window_id: null,
    starts_at: new Date(startMs),
    ends_at: new Date(endMs),
    scheduled_at: null,
    offer: JSON.stringify({
      ...quote.window.offer,
      offerId: null,
      computedFrom: {},
      window: { startMs, endMs },
    } satisfies OrderedOffer),
  };
}
