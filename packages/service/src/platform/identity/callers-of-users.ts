import type { Caller, Db } from "../context.ts";
import { findAccounts, type Account, type HeldFrom } from "./account-store.ts";
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
  return userIds.length === 0 ? new Map() : callersOf(await findAccounts(db, [...new Set(userIds)], heldFrom));
}

/** Accounts by the IDs of their users, as callers, without those that are blocked. */
export function callersOf(accounts: ReadonlyMap<string, Account>): ReadonlyMap<string, Caller> {
  const callers = new Map<string, Caller>();
  for (const account of accounts.values()) {
    if (account.blocked) continue;
    callers.set(account.id, { ...memberOf(account), kind: "user", permissions: account.permissions });
  }
  return callers;
}
