import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** Removes ended scenes that matched before a moment, in one batch. @returns how many */
export async function removeScenes(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from monitor_scenes where serial in (
        select serial from monitor_scenes
        where matched_at < ${before} and status in ('DONE', 'SKIPPED') order by serial limit ${limit}
        for update skip locked
      ) returning 1
    )
    select count(*)::int as removed from removed`.execute(db);
  return rows[0]?.removed ?? 0;
}

/** Removes the spending of months before a month in which nothing is reserved, in one batch. @returns how many */
export async function removeMonths(db: Db, before: string, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from monitor_months h using (
        select monitor_id, month from monitor_months
        where month < ${before} and reserved_micro = 0 limit ${limit} for update skip locked
      ) old where h.monitor_id = old.monitor_id and h.month = old.month returning 1
    )
    select count(*)::int as removed from removed`.execute(db);
  return rows[0]?.removed ?? 0;
}
