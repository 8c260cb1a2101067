import type { Caller, Db } from "../context.ts";
import { findAccounts, type HeldFrom } from "./account-store.ts";
import { memberOf } from "./credential.ts";

/**
 * Users as callers with their rights of this moment, for work that the service does in their names. Users who are
 * blocked or do not exist have none.
 */
export async function callersOfUsers(
  db: Db,
  userIds: readonly string[],
  heldFrom?: HeldFrom,
): Promise<ReadonlyMap<string, Caller>> {
  if (userIds.length === 0) return new Map();
  const accounts = await findAccounts(db, [...new Set(userIds)], heldFrom);
  return new Map(
    accounts
      .filter(({ blocked }) => !blocked)
      .map((account): [string, Caller] => [
        account.id,
        { ...memberOf(account), kind: "user", permissions: account.permissions },
      ]),
  );
}
