import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import type { OrderProgress, SubmittedOrder, ToldCapture } from "../tasking-provider.ts";
import type { Assessment } from "./assess-pass.ts";
import type { Booking } from "./booking-store.ts";
import { chanceOf } from "./chance.ts";
import { meets, type SimulatorOptions } from "./simulator-options.ts";

const HOUR_MS = 3_600_000;
/** From the order to the answer whether the provider takes it. */
const DECISION_MS = 10 * 60_000;
/** From the capture to the download from the satellite. */
const DOWNLINK_MS = 30 * 60_000;
const LATE_MS = 72 * HOUR_MS;

/** An order with everything that the provider knows of it. */
export interface KnownOrder {
  readonly order: SubmittedOrder;
  readonly bookings: readonly Booking[];
  readonly cancelledMs: number | null;
  /** Whether no satellite has a free pass any more. */
  readonly isExhausted: boolean;
  /** Called for passes that are over. */
  assess(this: void, booking: Booking): Assessment;
}

/** When the provider has decided on an order. */
export function decidedMs({ createdMs }: Pick<SubmittedOrder, "createdMs">): number {
  return createdMs + DECISION_MS;
}

/** When a capture is published. */
export function publishedMs(options: SimulatorOptions, order: SubmittedOrder, { capturedMs }: Booking): number {
  return capturedMs + options.latencyMs + (meets(options, order, "late") ? LATE_MS : 0);
}

/** The answer of the provider for an order at a moment of the present of the order. */
export function tellProgress(
  options: SimulatorOptions,
  known: KnownOrder,
  presentMs: number,
): Omit<OrderProgress, "askAgainMs" | "captures"> & { readonly captures: readonly TellableCapture[] } {
  const { bookings, cancelledMs } = known;
  const captures = bookings.map((booking) => tellCapture(options, known, booking, presentMs));
  const coming = bookings.find(({ isTaken }) => !isTaken)?.capturedMs ?? null;
  const state = stateOf(options, known, captures, presentMs);
  return { ...state, scheduledMs: cancelledMs === null ? coming : null, captures };
}

/** When the provider will know more, in the present of the order; within a day. */
export function nextMomentMs(
  options: SimulatorOptions,
  { order, bookings }: Pick<KnownOrder, "bookings" | "order">,
  presentMs: number,
): number {
  const ofBookings = bookings.flatMap((booking) => {
    const { capturedMs } = booking;
    return [capturedMs, capturedMs + DOWNLINK_MS, publishedMs(options, order, booking)];
  });
  const moments = [decidedMs(order), order.fromMs, order.toMs, ...ofBookings];
  return Math.min(...moments.filter((moment) => moment > presentMs), presentMs + 24 * HOUR_MS);
}

type Told = Pick<OrderProgress, "state" | "reasonCode" | "reasonText">;
/** A capture whose delivery is still to be added. */
type TellableCapture = Omit<ToldCapture, "delivery"> & { readonly booking: Booking; readonly fulfils: boolean };

function told(state: Told["state"], reasonCode: string | null = null, reasonText: string | null = null): Told {
  return { state, reasonCode, reasonText };
}

function stateOf(
  options: SimulatorOptions,
  { order, bookings, cancelledMs, isExhausted }: KnownOrder,
  captures: readonly TellableCapture[],
  presentMs: number,
): Told {
  // A cancellation needs no decision on the order.
  if (presentMs < decidedMs(order)) return told(cancelledMs === null ? "received" : "cancelled");
  if (meets(options, order, "rejected"))
    return told("refused", "competition", "the simulated provider has no capacity");
  const done = captures.find(({ fulfils }) => fulfils);
  if (done !== undefined) {
    const isPartial = (done.coverageRatio ?? 1) < 0.9;
    return isPartial ? told("completed", "partial_delivery", "a part of the area was imaged") : told("completed");
  }
  if (cancelledMs !== null) return told("cancelled");
  if (isExhausted && bookings.length === 0) {
    return told("refused", "competition", "no satellite has a free pass over the area in time");
  }
  const isRunning = captures.some(({ status }) => status === "QUEUED" || status === "PROCESSING");
  if (presentMs >= order.toMs && !isRunning) return told("expired", "cloud_cover", "no capture was good enough");
  return told("accepted");
}

function tellCapture(
  options: SimulatorOptions,
  { order, assess }: KnownOrder,
  booking: Booking,
  presentMs: number,
): TellableCapture {
  const status = statusOf(options, order, booking, presentMs);
  const assessed = status === "PUBLISHED" ? assess(booking) : null;
  return {
    captureId: `${order.orderId}-${booking.attempt}`,
    status,
    stripId: stripIdOf(booking),
    atMs: booking.capturedMs,
    cloudCover: assessed?.cloudCover ?? null,
    coverageRatio: assessed?.coverageRatio ?? null,
    offNadirDeg: booking.offNadirDeg,
    footprint: assessed?.footprint ?? null,
    foreignSceneTypes: assessed === null ? [] : [order.dataset],
    booking,
    fulfils: assessed?.fulfils ?? false,
  };
}

function statusOf(
  options: SimulatorOptions,
  order: SubmittedOrder,
  booking: Booking,
  presentMs: number,
): CaptureStatus {
  const { capturedMs, isTaken } = booking;
  if (isTaken) return "CANCELLED";
  if (presentMs < capturedMs) return "SCHEDULED";
  if (presentMs < capturedMs + DOWNLINK_MS) return "QUEUED";
  return presentMs < publishedMs(options, order, booking) ? "PROCESSING" : "PUBLISHED";
}

/** @example "SIM-PH-1A_20261124T101500" */
function stripIdOf({ satellite, capturedMs }: Booking): string {
  const time = new Date(capturedMs).toISOString().slice(0, 19).replaceAll(/[-:]/gu, "");
  return `${satellite.replaceAll(" ", "-")}_${time}`;
}

/** The moment that an answer describes: for some answers a day before the present. */
export function toldMs(options: SimulatorOptions, order: SubmittedOrder, presentMs: number): number {
  const isOld = meets(options, order, "reordered", Math.floor(presentMs / HOUR_MS));
  return isOld ? Math.max(order.createdMs, presentMs - 24 * HOUR_MS) : presentMs;
}

/** Captures as some answers name them: twice, the later ones first. */
export function repeated<One>(
  options: SimulatorOptions,
  order: SubmittedOrder,
  presentMs: number,
  captures: readonly One[],
): readonly One[] {
  const hour = Math.floor(presentMs / HOUR_MS);
  if (!meets(options, order, "duplicates", hour)) return captures;
  const again = captures.toReversed();
  return chanceOf(order.orderId, "order of captures", hour) < 0.5 ? [...captures, ...again] : [...again, ...captures];
}
