import type { Clock } from "@swath/base/clock";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import type { Db } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { OfferedWindow, SubmittedOrder } from "../tasking-provider.ts";
import * as store from "./booking-store.ts";
import { presentOf } from "./virtual-clock.ts";

export interface BookingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly orbits: Pick<OrbitSource, "satellites">;
  readonly speed: number;
  /** Passes over the area of an order, ascending. */
  findPasses(
    order: SubmittedOrder,
    fromMs: number,
    toMs: number,
    signal: AbortSignal,
  ): Promise<readonly OfferedWindow[]>;
}

/** Between two targets of a satellite. */
const SETUP_GAP_MS = 30_000;
/** Interval that is searched at once. */
const PIECE_MS = 7 * 86_400_000;
/** Orders of these kinds are imaged in the pass that was chosen, or not at all. */
const FIXED = new Set(["assured", "express"]);
const RANKS: Readonly<Record<string, number>> = { standard: 1, priority: 2, assured: 2, urgent: 3, express: 3 };

/**
 * Books the next free pass of an order after a moment: the chosen one first, for orders with a choice. An order with a
 * tier takes the pass of a flexible order. Without a free pass until the end of the order nothing is booked.
 *
 * @returns whether the order may have a booking of that number now: another process may have been faster
 */
export async function bookPass(
  deps: BookingDeps,
  order: SubmittedOrder,
  attempt: number,
  afterMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const isFixed = FIXED.has(order.priority ?? "");
  if (attempt === 1 || isFixed) {
    const { startMs, endMs } = order.window;
    const chosen = await deps.findPasses(order, startMs - SETUP_GAP_MS, endMs + SETUP_GAP_MS, signal);
    const own = chosen.filter(({ satellite }) => satellite === order.offer.satellite);
    if (await bookFirst(deps, order, attempt, afterMs, own)) return true;
    if (isFixed) return false;
  }
  for (let fromMs = Math.max(afterMs, order.fromMs); fromMs < order.toMs; fromMs += PIECE_MS) {
    const toMs = Math.min(fromMs + PIECE_MS, order.toMs);
    const passes = await deps.findPasses(order, fromMs, toMs, signal);
    if (await bookFirst(deps, order, attempt, afterMs, passes)) return true;
  }
  return false;
}

async function bookFirst(
  deps: BookingDeps,
  order: SubmittedOrder,
  attempt: number,
  afterMs: number,
  passes: readonly OfferedWindow[],
): Promise<boolean> {
  for (const pass of passes) {
    for (const capturedMs of momentsOf(pass)) {
      if (capturedMs < afterMs) continue;
      const booked = await passAt(deps, order, pass, capturedMs);
      if (booked !== null && (await bookMoment(deps, order, attempt, booked))) return true;
    }
  }
  return false;
}

/** The closest approach, and moments near it at which the sensor can still turn to the place. */
function momentsOf({ startMs, endMs, closestMs }: OfferedWindow): readonly number[] {
  return [0, 1, -1, 2, -2]
    .map((step) => Math.round(closestMs) + step * SETUP_GAP_MS)
    .filter((atMs) => atMs >= startMs && atMs <= endMs);
}

async function passAt(
  { orbits }: BookingDeps,
  { provider, dataset }: SubmittedOrder,
  { satellite, offNadirDeg, strips, coverageRatio, mode }: OfferedWindow,
  capturedMs: number,
): Promise<store.BookedPass | null> {
  const flying = await orbits.satellites(provider, dataset, capturedMs);
  const one = flying.find(({ name }) => name === satellite);
  if (one === undefined) return null;
  const { catalogueNumber, elements } = one;
  const coordinates = strips.map((strip) => strip.coordinates);
  return { satellite, catalogueNumber, elements, capturedMs, offNadirDeg, strips: coordinates, coverageRatio, mode };
}

async function bookMoment(
  { db, clock, speed }: BookingDeps,
  { orderId, priority }: SubmittedOrder,
  attempt: number,
  pass: store.BookedPass,
): Promise<boolean> {
  const rank = RANKS[priority ?? ""] ?? 0;
  return await inTransaction(db, async (trx) => {
    await store.lockSatellite(trx, pass.catalogueNumber);
    const own = await store.lockRehearsal(trx, orderId);
    if (own === null || own.cancelledMs !== null) return true;
    const nowMs = clock.now().getTime();
    const rivals = await store.findRivals(trx, pass.catalogueNumber, pass.capturedMs, SETUP_GAP_MS);
    const present = (rival: store.Rival): number => presentOf(rival, nowMs, speed);
    const givesWay = (rival: store.Rival): boolean =>
      rival.rank === 0 && rank > 0 && rival.orderId !== orderId && present(rival) < rival.capturedMs;
    if (!rivals.every(givesWay)) return false;
    for (const rival of rivals) await store.takePass(trx, rival, present(rival));
    await store.insertBooking(trx, orderId, attempt, rank, pass);
    return true;
  });
}
