import { sql } from "kysely";
import type { Trx } from "../../platform/context.ts";

/** One attempt of a delivery, as its log has it. */
export interface Attempt {
  readonly at: string;
  /** Null without an answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

/** Attempts that the log of a delivery keeps. */
const KEPT_ATTEMPTS = 20;

export interface AttemptedDelivery {
  readonly worker: string;
  readonly webhookId: string;
  readonly position: number;
  readonly attempt: Attempt;
  /** `pending` for another attempt after the pause. */
  readonly status: "delivered" | "pending" | "failed";
  readonly pauseMs: number;
}

/**
 * Writes the outcome of an attempt. Later events of the subject wait as long as this one does.
 *
 * @returns false when another process has taken the webhook, or nobody waits for the delivery any more
 */
export async function writeAttempt(trx: Trx, outcome: AttemptedDelivery): Promise<boolean> {
  const { attempt, pauseMs, position, status, webhookId, worker } = outcome;
  const { rows } = await sql<{ subject: string }>`
    update webhook_deliveries d
    set status = ${status}, attempts = d.attempts + 1, updated_at = now(),
      due_at = now() + ${pauseMs} * interval '1 millisecond',
      log = (
        select jsonb_agg(entry order by place) from (
          select entry, place from jsonb_array_elements(d.log || ${JSON.stringify(attempt)}::jsonb)
            with ordinality as all_entries (entry, place)
          order by place desc limit ${KEPT_ATTEMPTS}
        ) as last_entries
      )
    from webhooks w
    where w.id = d.webhook_id and w.leased_by = ${worker} and d.webhook_id = ${webhookId}
      and d.position = ${position} and d.status = 'pending'
    returning d.subject`.execute(trx);
  const [row] = rows;
  if (row === undefined) return false;
  if (status === "pending") {
    await sql`
      update webhook_deliveries
      set due_at = greatest(due_at, now() + ${pauseMs} * interval '1 millisecond')
      where webhook_id = ${webhookId} and subject = ${row.subject} and status = 'pending' and position > ${position}
    `.execute(trx);
  }
  return true;
}

/** Notes on a webhook whether its last attempt succeeded; since when it fails. */
export async function noteHealth(trx: Trx, webhookId: string, succeeded: boolean): Promise<Date | null> {
  const { rows } = await sql<{ failingSince: Date | null }>`
    update webhooks set failing_since = case when ${succeeded}::bool then null else coalesce(failing_since, now()) end
    where id = ${webhookId}
    returning failing_since as "failingSince"`.execute(trx);
  return rows[0]?.failingSince ?? null;
}

/** Disables a webhook for a reason. @returns false when it is disabled already */
export async function disableWebhook(trx: Trx, webhookId: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = now()
    where id = ${webhookId} and enabled returning id`.execute(trx);
  return rows.length > 0;
}
