import type { MeanElements } from "@swath/kernel/orbits/sgp4";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** The pass in which a satellite images for an order. */
export interface BookedPass {
  readonly satellite: string;
  readonly catalogueNumber: number;
  /** Orbit of the satellite at that time. */
  readonly elements: MeanElements;
  readonly capturedMs: number;
  readonly offNadirDeg: number | null;
  /** Ground that the pass can image, in strips, and its share of the ordered area. */
  readonly strips: readonly (readonly (readonly (readonly number[])[])[])[];
  readonly coverageRatio: number;
  readonly mode: string;
}

export interface Booking extends BookedPass {
  /** From 1. */
  readonly attempt: number;
  /** Whether another order has taken the pass, or the order was cancelled before it. */
  readonly isTaken: boolean;
}

/** An order that the simulated provider has. */
export interface Rehearsal {
  readonly notBeforeMs: number;
  readonly cancelledMs: number | null;
}

/** Stores an order; one that is stored stays as it is. */
export async function insertRehearsal(db: Db, orderId: string, createdMs: number): Promise<void> {
  const createdAt = new Date(createdMs);
  await db
    .insertInto("tasking_rehearsals")
    .values({ order_id: orderId, created_at: createdAt, not_before: createdAt, cancelled_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function readRehearsal(db: Db, orderId: string): Promise<Rehearsal | null> {
  const { rows } = await sql<RehearsalRow>`
    select not_before as "notBefore", cancelled_at as "cancelledAt"
    from tasking_rehearsals where order_id = ${orderId}`.execute(db);
  return toRehearsal(rows[0]);
}

export async function lockRehearsal(trx: Trx, orderId: string): Promise<Rehearsal | null> {
  const { rows } = await sql<RehearsalRow>`
    select not_before as "notBefore", cancelled_at as "cancelledAt"
    from tasking_rehearsals where order_id = ${orderId} for update`.execute(trx);
  return toRehearsal(rows[0]);
}

interface RehearsalRow {
  readonly notBefore: Date;
  readonly cancelledAt: Date | null;
}

function toRehearsal(row: RehearsalRow | undefined): Rehearsal | null {
  if (row === undefined) return null;
  return { notBeforeMs: row.notBefore.getTime(), cancelledMs: row.cancelledAt?.getTime() ?? null };
}

/** Bookings of an order, oldest first. */
export async function readBookings(db: Db, orderId: string): Promise<readonly Booking[]> {
  const rows = await db
    .selectFrom("tasking_bookings")
    .select(["attempt", "pass", "is_taken"])
    .where("order_id", "=", orderId)
    .orderBy("attempt")
    .execute();
  return rows.map(({ attempt, pass, is_taken: isTaken }) => ({
    ...(JSON.parse(pass) as BookedPass),
    attempt,
    isTaken,
  }));
}

/** Lets no other order book the satellite until the transaction ends; taken before any row is locked. */
export async function lockSatellite(trx: Trx, catalogueNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tasking satellite'), ${catalogueNumber})`.execute(trx);
}

/** A booking of another order that is too near. */
export interface Rival {
  readonly orderId: string;
  readonly attempt: number;
  readonly rank: number;
  readonly capturedMs: number;
  /** When its order was placed. */
  readonly createdMs: number;
}

/** Bookings of a satellite less than a gap from a moment. */
export async function findRivals(
  trx: Trx,
  catalogueNumber: number,
  atMs: number,
  gapMs: number,
): Promise<readonly Rival[]> {
  const rows = await trx
    .selectFrom("tasking_bookings as b")
    .innerJoin("tasking_rehearsals as r", "r.order_id", "b.order_id")
    .select(["b.order_id", "b.attempt", "b.rank", "b.captured_at", "r.created_at"])
    .where("b.catalogue_number", "=", catalogueNumber)
    .where("b.is_taken", "=", false)
    .where("b.captured_at", ">", new Date(atMs - gapMs))
    .where("b.captured_at", "<", new Date(atMs + gapMs))
    .execute();
  return rows.map((row) => ({
    orderId: row.order_id,
    attempt: row.attempt,
    rank: row.rank,
    capturedMs: row.captured_at.getTime(),
    createdMs: row.created_at.getTime(),
  }));
}

/** Takes a pass from an order, which books no other before that moment of the order's present. */
export async function takePass(
  trx: Trx,
  { orderId, attempt }: Pick<Rival, "orderId" | "attempt">,
  presentMs: number,
): Promise<void> {
  await trx
    .updateTable("tasking_bookings")
    .set({ is_taken: true })
    .where("order_id", "=", orderId)
    .where("attempt", "=", attempt)
    .execute();
  await trx
    .updateTable("tasking_rehearsals")
    .set({ not_before: new Date(presentMs) })
    .where("order_id", "=", orderId)
    .where("not_before", "<", new Date(presentMs))
    .execute();
}

/** @returns false when the order has a booking of that number already */
export async function insertBooking(
  trx: Trx,
  orderId: string,
  attempt: number,
  rank: number,
  pass: BookedPass,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("tasking_bookings")
    .values({
      order_id: orderId,
      attempt,
      rank,
      catalogue_number: pass.catalogueNumber,
      captured_at: new Date(pass.capturedMs),
      pass: JSON.stringify(pass),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("attempt")
    .execute();
  return inserted.length > 0;
}

/** Cancels an order at a moment of its present, and gives its later passes back. */
export async function writeCancellation(trx: Trx, orderId: string, presentMs: number): Promise<void> {
  await trx
    .updateTable("tasking_rehearsals")
    .set({ cancelled_at: new Date(presentMs) })
    .where("order_id", "=", orderId)
    .where("cancelled_at", "is", null)
    .execute();
  await trx
    .updateTable("tasking_bookings")
    .set({ is_taken: true })
    .where("order_id", "=", orderId)
    .where("captured_at", ">", new Date(presentMs))
    .execute();
}
