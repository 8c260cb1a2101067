import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import { chanceOf } from "../../../tasking-providers/simulator/chance.ts";
import type {
  OrderProgress,
  SubmittedOrder,
  TaskingProvider,
  ToldCapture,
} from "../../../tasking-providers/tasking-provider.ts";

/** Test support: a provider whose orders take every course, told with repetitions, out of order and with outages. */

const HOUR_MS = 3_600_000;
const ENDS = ["completed", "completed", "completed", "expired", "refused", "failed", "cancelled"] as const;

interface Course {
  readonly end: (typeof ENDS)[number];
  readonly decidedMs: number;
  readonly capturedMs: number;
  readonly endedMs: number;
}

function courseOf({ orderId, createdMs, fromMs, toMs }: SubmittedOrder): Course {
  const end = ENDS[Math.floor(chanceOf(orderId, "end") * ENDS.length)] ?? "completed";
  const decidedMs = createdMs + chanceOf(orderId, "decision") * 48 * HOUR_MS;
  const capturedMs = Math.max(fromMs, decidedMs) + chanceOf(orderId, "capture") * 72 * HOUR_MS;
  const late = chanceOf(orderId, "lateness") * 100 * HOUR_MS;
  const endedMs = end === "refused" ? decidedMs : end === "expired" ? Math.max(toMs, capturedMs) : capturedMs + late;
  return { end, decidedMs, capturedMs, endedMs };
}

/** The provider, and how often it has taken an order for new. */
export function randomProvider(clock: Clock, random: () => number) {
  const taken = new Map<string, number>();
  const cancelled = new Set<string>();
  const callOf = (what: string): void => {
    if (random() < 0.1) throw new ServiceError("SERVICE-UNAVAILABLE", `the ${what} meets an outage`);
  };
  const provider: TaskingProvider = {
    feasibility: () => Promise.resolve([]),
    async submit({ orderId }) {
      callOf("submission");
      taken.set(orderId, (taken.get(orderId) ?? 0) + 1);
      // The order arrives, and its answer is lost.
      callOf("answer to the submission");
      return `order ${orderId}`;
    },
    async cancel(order) {
      callOf("cancellation");
      const { capturedMs } = courseOf(order);
      if (clock.now().getTime() >= capturedMs && !cancelled.has(order.orderId)) {
        throw new ServiceError("ILLEGAL-STATE-TRANSITION", "the order has been imaged");
      }
      cancelled.add(order.orderId);
      callOf("answer to the cancellation");
    },
    async poll(order) {
      callOf("question");
      const nowMs = clock.now().getTime();
      const stale = random() < 0.2 ? 24 * HOUR_MS : 0;
      return tell(order, Math.max(order.createdMs, nowMs - stale), nowMs, cancelled.has(order.orderId), random);
    },
    presentOf: () => clock.now().getTime(),
    async [Symbol.asyncDispose]() {},
  };
  return { provider, taken };
}

function tell(
  order: SubmittedOrder,
  toldMs: number,
  nowMs: number,
  isCancelled: boolean,
  random: () => number,
): OrderProgress {
  const { end, decidedMs, capturedMs, endedMs } = courseOf(order);
  const state = isCancelled ? "cancelled" : toldMs < decidedMs ? "received" : toldMs < endedMs ? "accepted" : end;
  const isImaged = !isCancelled && toldMs >= decidedMs && end !== "refused";
  const captures = isImaged ? [captureOf(order, toldMs, capturedMs, endedMs, end === "completed")] : [];
  return {
    state,
    reasonCode: null,
    reasonText: null,
    scheduledMs: isImaged ? capturedMs : null,
    captures: random() < 0.3 ? [...captures, ...captures] : captures,
    askAgainMs: nowMs + (1 + random() * 24) * HOUR_MS,
  };
}

function captureOf(
  { orderId, geometry }: SubmittedOrder,
  toldMs: number,
  capturedMs: number,
  endedMs: number,
  isGood: boolean,
): ToldCapture {
  const status = toldMs < capturedMs ? "SCHEDULED" : toldMs < endedMs ? "PROCESSING" : "PUBLISHED";
  const isPublished = status === "PUBLISHED";
  const coverageRatio = 0.5 + chanceOf(orderId, "coverage") / 2;
  return {
    captureId: "only",
    status,
    stripId: `strip of ${orderId}`,
    atMs: capturedMs,
    cloudCover: isPublished ? (isGood ? 0 : 1) : null,
    coverageRatio: isPublished ? coverageRatio : null,
    offNadirDeg: 10,
    footprint: isPublished ? geometry : null,
    foreignSceneTypes: [],
    delivery: isPublished && isGood ? { kind: "file", name: "a.geotiff", document: null, async write() {} } : null,
  };
}
