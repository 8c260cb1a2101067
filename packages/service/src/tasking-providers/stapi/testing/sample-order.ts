import { randomUUID } from "node:crypto";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { SubmittedOrder } from "../../tasking-provider.ts";

const DAY_MS = 86_400_000;

/** An order over a place in Gabon, for a window of ten minutes tomorrow. */
export function sampleOrder(nowMs: number, changes: Partial<SubmittedOrder> = {}): SubmittedOrder {
  const startMs = Math.floor(nowMs / 1000) * 1000 + DAY_MS;
  return {
    provider: "acme",
    dataset: "acme_visual",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [9.4, 0.3],
          [9.5, 0.3],
          [9.5, 0.4],
          [9.4, 0.4],
          [9.4, 0.3],
        ],
      ],
    },
    fromMs: startMs - DAY_MS,
    toMs: startMs + 6 * DAY_MS,
    priority: "urgent",
    orderOptions: {},
    orderId: randomUUID(),
    createdMs: nowMs,
    offer: { offerId: null, satellite: "acme-1", mode: "visual", computedFrom: {} },
    window: { startMs, endMs: startMs + 600_000 },
    maxCloudCover: 0.2,
    micro: creditsToMicro(100),
    ...changes,
  };
}
