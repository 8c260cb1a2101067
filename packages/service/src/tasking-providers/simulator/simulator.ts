import { join } from "node:path";
import type { Clock } from "@swath/base/clock";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { sceneDocument } from "@swath/simulator/scene-document";
import { writeScene } from "@swath/simulator/write-scene";
import type { Db } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type {
  Delivery,
  OfferedWindow,
  OrderProgress,
  SubmittedOrder,
  TaskingProvider,
  TaskingRequest,
} from "../tasking-provider.ts";
import { assessPass, modelOfPass } from "./assess-pass.ts";
import { bookPass } from "./book-pass.ts";
import * as store from "./booking-store.ts";
import { meets, type SimulatorOptions } from "./simulator-options.ts";
import { decidedMs, nextMomentMs, publishedMs, repeated, tellProgress, toldMs } from "./tell-progress.ts";
import { clockAt, presentOf } from "./virtual-clock.ts";

export interface SimulatorDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly orbits: Pick<OrbitSource, "satellites">;
  /** Passes over the area of a request, ascending, by the newest elements of a moment. */
  findPasses(request: TaskingRequest, elementsMs: number, signal: AbortSignal): Promise<readonly OfferedWindow[]>;
}

const HOUR_MS = 3_600_000;
/** Passes that one poll books, one after the other, for an order whose time runs fast. */
const MAX_BOOKINGS = 20;
const MAX_WINDOWS = 200;
/** Shortest pause until the next question. */
const LEAST_PAUSE_MS = 200;

/**
 * The simulated constellation as a provider. The course of an order follows from its identifier, from passes and clouds
 * of the simulated world, and from the bookings of other orders.
 */
export function createSimulator(deps: SimulatorDeps, options: SimulatorOptions): TaskingProvider {
  return {
    async feasibility(request, signal) {
      return (await deps.findPasses(request, deps.clock.now().getTime(), signal)).slice(0, MAX_WINDOWS);
    },

    async submit(order, signal) {
      signal.throwIfAborted();
      requireUp(deps, options, order);
      await store.insertRehearsal(deps.db, order.orderId, order.createdMs);
      return order.orderId;
    },

    async cancel(order, _providerOrderId, signal) {
      signal.throwIfAborted();
      requireUp(deps, options, order);
      await cancelRehearsal(deps, options, order);
    },

    async poll(order, _providerOrderId, signal) {
      signal.throwIfAborted();
      requireUp(deps, options, order);
      return await pollRehearsal(deps, options, order, signal);
    },

    presentOf: (order) => presentOf(order, deps.clock.now().getTime(), options.speed),

    async [Symbol.asyncDispose]() {},
  };
}

function presentNow({ clock }: SimulatorDeps, { speed }: SimulatorOptions, order: SubmittedOrder): number {
  return presentOf(order, clock.now().getTime(), speed);
}

/** @throws {ServiceError} SERVICE-UNAVAILABLE in hours in which the provider does not answer */
function requireUp(deps: SimulatorDeps, options: SimulatorOptions, order: SubmittedOrder): void {
  const hour = Math.floor(presentNow(deps, options, order) / HOUR_MS);
  if (!meets(options, order, "down", hour)) return;
  throw new ServiceError("SERVICE-UNAVAILABLE", "the simulated provider does not answer");
}

async function cancelRehearsal(deps: SimulatorDeps, options: SimulatorOptions, order: SubmittedOrder): Promise<void> {
  const { orderId } = order;
  await inTransaction(deps.db, async (trx) => {
    const rehearsal = await store.lockRehearsal(trx, orderId);
    if (rehearsal === null) throw unknownOrder(orderId);
    if (rehearsal.cancelledMs !== null) return;
    const presentMs = presentNow(deps, options, order);
    const imaged = (await store.readBookings(trx, orderId)).filter(
      (booking) => !booking.isTaken && booking.capturedMs <= presentMs,
    );
    const isWanted = (booking: store.Booking): boolean =>
      publishedMs(options, order, booking) > presentMs || assessPass(options, order, booking).fulfils;
    if (imaged.some(isWanted)) {
      throw new ServiceError("ILLEGAL-STATE-TRANSITION", `the order ${orderId} has been imaged already`);
    }
    await store.writeCancellation(trx, orderId, presentMs);
  });
}

async function pollRehearsal(
  deps: SimulatorDeps,
  options: SimulatorOptions,
  order: SubmittedOrder,
  signal: AbortSignal,
): Promise<OrderProgress> {
  const presentMs = presentNow(deps, options, order);
  const isExhausted = await bookDue(deps, options, order, presentMs, signal);
  const rehearsal = await store.readRehearsal(deps.db, order.orderId);
  if (rehearsal === null) throw unknownOrder(order.orderId);
  const bookings = await store.readBookings(deps.db, order.orderId);
  const known = {
    order,
    bookings,
    cancelledMs: rehearsal.cancelledMs,
    isExhausted,
    assess: (booking: store.Booking) => assessPass(options, order, booking),
  };
  const progress = tellProgress(options, known, toldMs(options, order, presentMs));
  const captures = progress.captures.map(({ booking, fulfils, ...capture }) => ({
    ...capture,
    delivery: fulfils ? deliveryOf(options, order, booking) : null,
  }));
  const nowMs = deps.clock.now().getTime();
  return {
    ...progress,
    captures: repeated(options, order, presentMs, captures),
    askAgainMs: Math.max(
      nowMs + LEAST_PAUSE_MS,
      Math.ceil(clockAt(order, nextMomentMs(options, known, presentMs), options.speed)),
    ),
  };
}

/** Books what an order lacks at its present. @returns whether there is no free pass any more */
async function bookDue(
  deps: SimulatorDeps,
  options: SimulatorOptions,
  order: SubmittedOrder,
  presentMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (presentMs < decidedMs(order) || meets(options, order, "rejected")) return false;
  const booking = {
    ...deps,
    speed: options.speed,
    findPasses: (one: SubmittedOrder, fromMs: number, toMs: number, until: AbortSignal) =>
      deps.findPasses({ ...one, fromMs, toMs }, one.createdMs, until),
  };
  for (let booked = 0; booked < MAX_BOOKINGS; booked += 1) {
    const rehearsal = await store.readRehearsal(deps.db, order.orderId);
    if (rehearsal === null) throw unknownOrder(order.orderId);
    if (rehearsal.cancelledMs !== null) return false;
    const bookings = await store.readBookings(deps.db, order.orderId);
    const last = bookings.findLast(({ isTaken }) => !isTaken);
    const isOver = last === undefined || publishedMs(options, order, last) <= presentMs;
    if (!isOver || (last !== undefined && assessPass(options, order, last).fulfils)) return false;
    const afterMs = Math.max(
      decidedMs(order),
      rehearsal.notBeforeMs,
      last === undefined ? 0 : publishedMs(options, order, last),
    );
    if (!(await bookPass(booking, order, bookings.length + 1, afterMs, signal))) return true;
  }
  return false;
}

function deliveryOf(options: SimulatorOptions, order: SubmittedOrder, booking: store.Booking): Delivery {
  const { cloudCover, footprint } = assessPass(options, order, booking);
  const model = modelOfPass(options, order, booking, footprint);
  const name = `${order.orderId}-${booking.attempt}.geotiff`;
  return {
    kind: "file",
    name,
    document: { ...sceneDocument(model, cloudCover) },
    write: (folder, signal) => writeScene({ model, path: join(folder, name) }, signal),
  };
}

function unknownOrder(orderId: string): ServiceError {
  return new ServiceError("NON-EXISTENT-ORDER", `the simulated provider has no order ${orderId}`);
}
