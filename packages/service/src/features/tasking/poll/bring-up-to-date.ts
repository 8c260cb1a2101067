import { squareMetresToKm2 } from "@swath/kernel/credits/micro";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { capturedPrice } from "@swath/kernel/tasking/captured-price";
import type { Trx } from "../../../platform/context.ts";
import type { OrderProgress } from "../../../tasking-providers/tasking-provider.ts";
import type { CreditHolds } from "../../credits/holds.ts";
import { applyOrderEvent } from "../orders/apply-event.ts";
import type { ChargedCaptures } from "../orders/change-hold.ts";
import { lockOrder, type OrderRow } from "../orders/order-store.ts";
import { nextEvent, type OrderFacts } from "./next-event.ts";
import { isUnderWay, readCaptures, type StoredCapture } from "./told-captures.ts";

export interface UpdateDeps {
  readonly credits: Pick<CreditHolds, "updateHold" | "returnHold">;
}

/** A scene that this transaction delivers. */
export interface DeliveredScene {
  readonly sceneId: string;
  readonly geometry: MultiPolygon;
}

/** No order has more transitions. */
const MAX_EVENTS = 4;

/**
 * Applies every event that is due by the provider's answer and the stored captures, in the caller's transaction. A
 * scene that is delivered without ending the order is charged at once.
 *
 * @param presentMs the present of the order
 * @returns the order afterwards
 */
export async function bringUpToDate(
  deps: UpdateDeps,
  trx: Trx,
  orderId: string,
  told: OrderProgress,
  presentMs: number,
  delivered: DeliveredScene | null = null,
): Promise<OrderRow> {
  let order = await lockOrder(trx, orderId);
  if (order === null) throw new Error(`the order ${orderId} is gone`);
  const captures = await readCaptures(trx, orderId);
  const facts = factsOf(order, told, captures, presentMs);
  let toDeliver = delivered;
  for (let applied = 0; applied < MAX_EVENTS; applied += 1) {
    const due = nextEvent(order.status, told, facts);
    if (due === null) break;
    const isCharged = due.event === "fulfil" || due.event === "expire";
    const captured = isCharged ? { captured: chargeOf(order, captures, toDeliver) } : {};
    if (isCharged) toDeliver = null;
    ({ order } = await applyOrderEvent(deps, trx, { ...due, orderId, atMs: presentMs, ...captured }));
  }
  if (toDeliver !== null) {
    const charge = chargeOf(order, captures, toDeliver);
    await deps.credits.updateHold(trx, { ...charge, orderReferenceId: orderId, isFinal: false });
  }
  return order;
}

function factsOf(
  order: OrderRow,
  told: OrderProgress,
  captures: readonly StoredCapture[],
  presentMs: number,
): OrderFacts {
  const isWaiting = pendingDeliveries(told, captures).length > 0;
  return {
    presentMs,
    startsMs: order.starts_at.getTime(),
    endsMs: order.ends_at.getTime(),
    isFulfilled: !isWaiting && captures.some(isDelivered),
    isRunning: isWaiting || captures.some(isUnderWay),
  };
}

function isDelivered({ fulfils, ingested_scenes: scenes }: StoredCapture): boolean {
  return fulfils === true && scenes !== "[]";
}

/** Published captures that fulfil an order and are not in the store yet. */
export function pendingDeliveries(
  { captures: told }: Pick<OrderProgress, "captures">,
  captures: readonly StoredCapture[],
): readonly StoredCapture[] {
  const offered = new Set(told.flatMap(({ captureId, delivery }) => (delivery === null ? [] : [captureId])));
  return captures.filter(
    ({ provider_capture_id: id, status, fulfils, ingested_scenes: scenes }) =>
      status === "PUBLISHED" && fulfils === true && scenes === "[]" && offered.has(id),
  );
}

/** The charge for all delivered captures together, never for more than the ordered area. */
function chargeOf(
  order: OrderRow,
  captures: readonly StoredCapture[],
  delivered: DeliveredScene | null,
): ChargedCaptures {
  const orderedM2 = order.area_m2;
  const share = captures.filter(isDelivered).reduce((sum, { coverage_ratio: ratio }) => sum + (ratio ?? 1), 0);
  const capturedM2 = Math.round(orderedM2 * Math.min(1, share));
  const micro = capturedPrice({ micro: BigInt(order.price_micro), areaM2: orderedM2 }, capturedM2);
  return { areaKm2: squareMetresToKm2(capturedM2), micro, ...delivered };
}
