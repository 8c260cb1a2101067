import { sql } from "kysely";
import type { Db } from "../context.ts";

const BATCH = 1_000;

/** Removes events older than they are kept, in batches until none is left or the signal aborts; their number. */
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
      select serial from events
      where created_at < now() - make_interval(days => ${keptDays}::int) and position is not null
      order by created_at limit ${BATCH} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
