import type { Selectable } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { ConsoleSessionsTable } from "../../platform/postgres/tables/identity.ts";

export type SessionRow = Pick<
  Selectable<ConsoleSessionsTable>,
  "created_at" | "expires_at" | "id" | "rotated_at" | "second_factor"
>;

/** A user has no more, as `platform/identity` keeps them. */
const MAX_SESSIONS = 20;

/** Open sessions of a user, the last used first; those from before a new password are over. */
export async function selectSessions(db: Db, userId: string, now: Date): Promise<readonly SessionRow[]> {
  return await db
    .selectFrom("console_sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["s.id", "s.created_at", "s.rotated_at", "s.expires_at", "s.second_factor"])
    .where("s.user_id", "=", userId)
    .where("s.expires_at", ">", now)
    .whereRef("s.token_version", "=", "u.token_version")
    .orderBy("s.rotated_at", "desc")
    .orderBy("s.id")
    .limit(MAX_SESSIONS)
    .execute();
}

/** Deletes one session of a user, or all. Returns how many there were. */
export async function deleteSessions(trx: Trx, userId: string, id: string | null): Promise<number> {
  const all = trx.deleteFrom("console_sessions").where("user_id", "=", userId);
  const { numDeletedRows } = await (id === null ? all : all.where("id", "=", id)).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Ends every token of a user. Returns whether there is such a user. */
export async function endTokens(trx: Trx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set((eb) => ({ token_version: eb("token_version", "+", 1) }))
    .where("id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
