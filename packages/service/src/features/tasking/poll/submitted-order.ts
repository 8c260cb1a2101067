import type { Polygon } from "@swath/kernel/geometry/geojson";
import type { SubmittedOrder } from "../../../tasking-providers/tasking-provider.ts";
import type { OrderRow } from "../orders/order-store.ts";

/** The offer of an order, as it is stored with it. */
type StoredOffer = SubmittedOrder["offer"] & { readonly window?: SubmittedOrder["window"] };

/** An order as its provider receives it: always the same for the same row. */
export function submittedOrder(order: OrderRow): SubmittedOrder {
  const [fromMs, toMs] = [order.starts_at.getTime(), order.ends_at.getTime()];
  const { window, ...offer } = JSON.parse(order.offer) as StoredOffer;
  const { orderOptions = {} } = JSON.parse(order.parameters) as Partial<Pick<SubmittedOrder, "orderOptions">>;
  return {
    orderId: order.id,
    provider: order.provider,
    dataset: order.dataset,
    geometry: JSON.parse(order.geometry) as Polygon,
    fromMs,
    toMs,
    priority: order.priority,
    orderOptions,
    createdMs: order.created_at.getTime(),
    offer,
    window: window ?? { startMs: fromMs, endMs: toMs },
    maxCloudCover: order.max_cloud_cover,
    micro: BigInt(order.price_micro),
  };
}
