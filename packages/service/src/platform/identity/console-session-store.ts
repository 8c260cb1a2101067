import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db, Trx } from "../context.ts";
import type { ConsoleSessionsTable } from "../postgres/tables/identity.ts";

export type ConsoleSessionRow = Selectable<ConsoleSessionsTable>;

/** Sessions of one user; the one refreshed longest ago ends first. */
const MAX_SESSIONS = 20;
/** Expired rows that one sign-in removes. */
const SWEPT_ROWS = 100;

export async function insertSession(
  trx: Trx,
  session: Omit<ConsoleSessionRow, "previous_hash" | "next_sealed">,
): Promise<void> {
  await trx
    .insertInto("console_sessions")
    .values({ ...session, previous_hash: null, next_sealed: null })
    .execute();
}

/** Ends the sessions of a user beyond the newest. */
export async function deleteSurplus(trx: Trx, userId: string): Promise<void> {
  await sql`
    delete from console_sessions where id in (
      select id from console_sessions where user_id = ${userId} order by rotated_at desc, id offset ${MAX_SESSIONS}
    )`.execute(trx);
}

/** Removes sessions that have ended, of any user. */
export async function sweepExpired(db: Db, now: Date): Promise<void> {
  await sql`
    delete from console_sessions where id in (
      select id from console_sessions where expires_at <= ${now} order by expires_at limit ${SWEPT_ROWS}
      for update skip locked
    )`.execute(db);
}

/** The session for a change: refreshes of one session happen one after the other. */
export async function lockSession(trx: Trx, id: string): Promise<ConsoleSessionRow | null> {
  const row = await trx.selectFrom("console_sessions").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  return row ?? null;
}

export async function rotateSession(
  trx: Trx,
  id: string,
  next: Pick<ConsoleSessionRow, "secret_hash" | "previous_hash" | "next_sealed" | "rotated_at" | "expires_at">,
): Promise<void> {
  await trx.updateTable("console_sessions").set(next).where("id", "=", id).execute();
}

export async function deleteSession(db: Db | Trx, id: string): Promise<void> {
  await db.deleteFrom("console_sessions").where("id", "=", id).execute();
}
