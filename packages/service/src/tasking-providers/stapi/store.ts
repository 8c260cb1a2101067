import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/postgres/errors.ts";

/** The submission of an order. */
export interface SubmissionRow {
  readonly sent_at: Date;
  readonly provider_order_id: string | null;
  readonly refusal: string | null;
  readonly cancel_sent_at: Date | null;
}

export async function readSubmission(db: Db, orderId: string): Promise<SubmissionRow | null> {
  const { rows } = await sql<SubmissionRow>`
    select sent_at, provider_order_id, refusal, cancel_sent_at from tasking_submissions where order_id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}

/** Notes that an order will be sent now. False when it was noted before. */
export async function insertSubmission(db: Db, authority: string, orderId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ order_id: string }>`
    insert into tasking_submissions (order_id, authority, sent_at) values (${orderId}, ${authority}, ${now})
    on conflict on constraint tasking_submissions_pkey do nothing
    returning order_id
  `.execute(db);
  return rows.length > 0;
}

/** Notes that an order will be sent again. False when a rival did since. */
export async function renewSubmission(db: Db, orderId: string, before: Date, now: Date): Promise<boolean> {
  const { rows } = await sql<{ order_id: string }>`
    update tasking_submissions set sent_at = ${now}
    where order_id = ${orderId} and sent_at = ${before} and provider_order_id is null and refusal is null
    returning order_id
  `.execute(db);
  return rows.length > 0;
}

/** Forgets an order that was certainly not taken, so that it is sent again without a wait. */
export async function deleteSubmission(db: Db, orderId: string): Promise<void> {
  await sql`
    delete from tasking_submissions where order_id = ${orderId} and provider_order_id is null
  `.execute(db);
}

/** Keeps the name that the provider gave. False when another order has it. */
export async function keepProviderOrder(db: Db, orderId: string, providerOrderId: string): Promise<boolean> {
  try {
    await sql`
      update tasking_submissions set provider_order_id = ${providerOrderId} where order_id = ${orderId}
    `.execute(db);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

export async function keepRefusal(db: Db, orderId: string, refusal: string): Promise<void> {
  await sql`update tasking_submissions set refusal = ${refusal} where order_id = ${orderId}`.execute(db);
}

/** Of the names of orders at a provider, those that are no order of ours yet. */
export async function unknownProviderOrders(
  db: Db,
  authority: string,
  providerOrderIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ provider_order_id: string }>`
    select given.id as provider_order_id from unnest(${providerOrderIds}::text[]) as given (id)
    where not exists (
      select from tasking_submissions where authority = ${authority} and provider_order_id = given.id)
  `.execute(db);
  return rows.map(({ provider_order_id: id }) => id);
}

export async function noteCancel(db: Db, orderId: string, now: Date): Promise<void> {
  await sql`
    update tasking_submissions set cancel_sent_at = coalesce(cancel_sent_at, ${now}) where order_id = ${orderId}
  `.execute(db);
}
