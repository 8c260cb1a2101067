import type { Db } from "../../platform/context.ts";

/** Whether the user's account requires a second factor. */
export async function isMfaRequired(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("require_mfa").where("id", "=", userId).executeTakeFirst();
  return row?.require_mfa ?? false;
}
