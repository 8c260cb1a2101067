import { sql } from "kysely";
import type { Db } from "../context.ts";

const BATCH = 1_000;

/**
 * Removes events older than they are kept, in batches until none is left or the signal aborts. An event stays while an
 * enabled webhook has a delivery of it to make, since deliveries go with their event. Attempts of such a delivery end.
 *
 * @returns their number
 */
export async function removeExpiredEvents(db: Db, keptDays: number, signal: AbortSignal): Promise<number> {
  let removed = 0;
  let batch = BATCH;
  while (batch === BATCH && !signal.aborted) {
    batch = await deleteExpired(db, keptDays);
    removed += batch;
  }
  return removed;
}

async function deleteExpired(db: Db, keptDays: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where serial in (
      select e.serial from events e
      where e.created_at < now() - make_interval(days => ${keptDays}::int)
        -- Webhooks have not looked at later ones.
        and e.position <= (select position from event_marks where name = 'webhooks')
        and not exists (
          select from webhook_deliveries d join webhooks w on w.id = d.webhook_id
          where d.event_serial = e.serial and d.status = 'pending' and w.enabled
        )
      order by e.created_at limit ${BATCH} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
