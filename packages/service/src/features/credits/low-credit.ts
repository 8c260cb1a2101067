import { sql } from "kysely";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Db } from "../../platform/context.ts";

/** Accounts that one round changes; the next one takes the others. */
const BATCH = 1_000;

/**
 * Gives accounts the threshold below which a fall of their credit is an event; 0 for none. The database records the
 * event with the charge. Accounts that are being charged are left to the next round.
 *
 * @returns how many changed
 */
export async function setLowCredit(db: Db, credits: number): Promise<number> {
  const micro = creditsToMicro(credits);
  const { numAffectedRows } = await sql`
    update credit_groups set low_micro = ${micro}::bigint where group_id = any(array(
      select group_id from credit_groups where low_micro <> ${micro}::bigint
      order by group_id limit ${BATCH} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
