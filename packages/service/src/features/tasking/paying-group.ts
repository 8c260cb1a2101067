import type { Caller, Db } from "../../platform/context.ts";
import { payingGroupId } from "../credits/paying-group.ts";

/** The group whose credit pays for the caller's tasking; empty when there is none. */
export async function taskingPayer(
  db: Db,
  caller: Pick<Caller, "userId" | "groupId" | "accountingGroupId">,
): Promise<string> {
  const user = await db
    .selectFrom("users")
    .select("tasking_accounting")
    .where("id", "=", caller.userId)
    .executeTakeFirst();
  return user?.tasking_accounting ?? payingGroupId(caller);
}
