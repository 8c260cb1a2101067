import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/**
 * The moment that a read is exact for: whatever becomes visible later has a later `firstSeen`. Waits for commits that
 * are under way, never for transactions. Outside of transactions only: the lock ends with the statement.
 */
export async function datacubeNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select datacube_now() as now`.execute(db);
  return rows[0]!.now;
}
