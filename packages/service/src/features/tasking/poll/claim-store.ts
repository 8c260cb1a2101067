import { sql } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";
import type { OrderRow } from "../orders/order-store.ts";

/** An order that this process alone polls, until the lease ends. */
export interface ClaimedOrder {
  readonly order: OrderRow;
  readonly until: Date;
}

const OPEN = ["RECEIVED", "PENDING", "IN_PROGRESS"] as const;

/** Providers with due orders that nobody polls. */
export async function dueProviders(db: Db, now: Date): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("tasking_orders")
    .select("provider")
    .distinct()
    .where("status", "in", OPEN)
    .where("poll_due_at", "<=", now)
    .where((where) => where.or([where("poll_claimed_until", "is", null), where("poll_claimed_until", "<=", now)]))
    .execute();
  return rows.map(({ provider }) => provider);
}

/**
 * Claims due orders of a provider: the longest due order of each owner, then the second of each, and so on. The orders
 * of one owner hold no other. Rows that another process claims at the moment are left to it.
 */
export async function claimDue(
  db: Db,
  provider: string,
  limit: number,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<readonly ClaimedOrder[]> {
  const next = db
    .selectFrom("tasking_orders")
    .select([
      "id",
      "poll_due_at",
      sql<number>`row_number() over (partition by owner_id order by poll_due_at)`.as("turn"),
    ])
    .where("provider", "=", provider)
    .where("status", "in", OPEN)
    .where("poll_due_at", "<=", now)
    .where((where) => where.or([where("poll_claimed_until", "is", null), where("poll_claimed_until", "<=", now)]))
    .as("due");
  const rows = await db
    .updateTable("tasking_orders")
    .set({ poll_claimed_until: until })
    .where("id", "in", (from) =>
      from
        .selectFrom("tasking_orders")
        .select("id")
        .where("id", "in", (due) =>
          due.selectFrom(next).select("due.id").orderBy("turn").orderBy("poll_due_at").limit(limit),
        )
        .where((where) => where.or([where("poll_claimed_until", "is", null), where("poll_claimed_until", "<=", now)]))
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.map((order) => ({ order: order as OrderRow, until }));
}

/** Claims an open order whether it is due or not; null while another process polls it, or when it is over. */
export async function claimOrder(
  db: Db,
  orderId: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<ClaimedOrder | null> {
  const row = await db
    .updateTable("tasking_orders")
    .set({ poll_claimed_until: until })
    .where("id", "=", orderId)
    .where("status", "in", OPEN)
    .where((where) => where.or([where("poll_claimed_until", "is", null), where("poll_claimed_until", "<=", now)]))
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : { order: row as OrderRow, until };
}

/** Prolongs a claim. @returns whether it still held */
export async function prolongClaim(db: Db, { order, until }: ClaimedOrder, next: Date): Promise<boolean> {
  const rows = await db
    .updateTable("tasking_orders")
    .set({ poll_claimed_until: next })
    .where("id", "=", order.id)
    .where("poll_claimed_until", "=", until)
    .returning("id")
    .execute();
  return rows.length > 0;
}

/** Ends a claim that still holds, with the time of the next question; a wish to cancel since the claim is due at once. */
export async function releaseClaim(
  db: Db,
  { order, until }: ClaimedOrder,
  next: { readonly dueAt: Date; readonly failures: number },
): Promise<void> {
  await db
    .updateTable("tasking_orders")
    .set({
      poll_claimed_until: null,
      poll_due_at: sql`case when cancel_requested_at is not null and ${order.cancel_requested_at === null}::boolean
        then poll_due_at else ${next.dueAt} end`,
      poll_failures: next.failures,
    })
    .where("id", "=", order.id)
    .where("poll_claimed_until", "=", until)
    .execute();
}

/** Whether somebody polls the order. */
export async function isClaimed(db: Db, orderId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from tasking_orders where id = ${orderId} and poll_claimed_until > ${now}`.execute(db);
  return rows.length > 0;
}

/** Notes the name of an order at its provider. */
export async function writeProviderOrder(db: Db, orderId: string, providerOrderId: string): Promise<void> {
  await db
    .updateTable("tasking_orders")
    .set({ provider_order_id: providerOrderId })
    .where("id", "=", orderId)
    .where("provider_order_id", "is", null)
    .execute();
}

/** Notes the first planned capture, and a wish to cancel that the provider has refused. */
export async function writePlan(
  trx: Trx,
  orderId: string,
  plan: { readonly scheduledAt: Date | null; readonly keepsCancellation: boolean },
): Promise<void> {
  await trx
    .updateTable("tasking_orders")
    .set({ scheduled_at: plan.scheduledAt, ...(plan.keepsCancellation ? {} : { cancel_requested_at: null }) })
    .where("id", "=", orderId)
    .execute();
}
