import { sql } from "kysely";
import type { Db, Trx } from "../context.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { PLACED_CHANNEL } from "./channels.ts";

/** Events that get their positions in one transaction. */
const BATCH = 1_000;

/**
 * Gives positions to committed events, until none is without. Positions follow commits: an event that commits late gets
 * a later position than those that readers may have seen, so that none is skipped. One transaction at a time gives
 * positions, in the order of writing, and they become visible with its commit.
 *
 * @returns the number of events
 */
export async function placeEvents(db: Db, signal: AbortSignal): Promise<number> {
  let placed = 0;
  for (;;) {
    if (!(await isAnyUnplaced(db))) return placed;
    const batch = await inTransaction(db, placeBatch);
    placed += batch;
    if (batch < BATCH || signal.aborted) return placed;
  }
}

async function isAnyUnplaced(db: Db): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from events where position is null) as any`.execute(db);
  return rows[0]?.any ?? false;
}

async function placeBatch(trx: Trx): Promise<number> {
  // A separate statement: the next one then sees every event that the holder before has placed.
  await sql`select from event_marks where name = 'placed' for update`.execute(trx);
  const { rows } = await sql<{ placed: number }>`
    with unplaced as (
      select serial, row_number() over (order by serial) as place from (
        select serial from events where position is null order by serial limit ${BATCH}
      ) as first
    ), placed as (
      update events e set position = m.position + u.place
      from unplaced u, event_marks m
      where e.serial = u.serial and m.name = 'placed'
      returning e.serial
    ), marked as (
      update event_marks set position = position + (select count(*) from unplaced)
      where name = 'placed'
      returning position
    )
    select (select count(*) from placed)::int as placed
    from (select pg_notify(${PLACED_CHANNEL}, position::text) from marked) as told
  `.execute(trx);
  return rows[0]?.placed ?? 0;
}
