import type { Db } from "../../platform/context.ts";
import { recordEvent } from "../../platform/events/record-event.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { disableWebhook, noteHealth, writeAttempt, type Attempt } from "./outcome-store.ts";
import { isTaken } from "./post-event.ts";
import { retryPauseMs } from "./retry-schedule.ts";
import type { DueDelivery, Turn } from "./turn-store.ts";

/** A webhook is disabled when a delivery is given up and nothing was delivered for so long. */
const LONG_FAILURE_MS = 72 * 3_600_000;
const GONE = 410;

/** Writes the outcome of an attempt, and disables a webhook that is gone or has failed for long. */
export async function settleAttempt(
  db: Db,
  worker: string,
  { id: webhookId, ownerId, url }: Pick<Turn, "id" | "ownerId" | "url">,
  { attempts, position }: Pick<DueDelivery, "attempts" | "position">,
  attempt: Attempt,
): Promise<void> {
  const taken = isTaken(attempt.status);
  const pauseMs = retryPauseMs(attempts + 1);
  const status = taken ? "delivered" : pauseMs === null ? "failed" : "pending";
  await inTransaction(db, async (trx) => {
    const outcome = { worker, webhookId, position, attempt, status, pauseMs: pauseMs ?? 0 } as const;
    if (!(await writeAttempt(trx, outcome))) return;
    const failingSince = await noteHealth(trx, webhookId, taken);
    const reason = reasonToDisable(attempt, status, failingSince);
    if (reason === null || !(await disableWebhook(trx, webhookId, reason))) return;
    await recordEvent(trx, {
      type: "webhook.disabled",
      subject: `webhook:${webhookId}`,
      audience: { userId: ownerId },
      data: { webhookId, url, reason },
    });
  });
}

function reasonToDisable(attempt: Attempt, status: string, failingSince: Date | null): string | null {
  if (attempt.status === GONE) return "the receiver answered 410: it wants no more events";
  if (status !== "failed" || failingSince === null) return null;
  const forMs = Date.parse(attempt.at) - failingSince.getTime();
  if (forMs < LONG_FAILURE_MS) return null;
  return `nothing was delivered since ${failingSince.toISOString()}; last: ${attempt.error ?? "no answer"}`;
}
