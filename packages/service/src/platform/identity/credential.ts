import { isGranted } from "@swath/kernel/permissions/permission";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../context.ts";
import type { Account } from "./account-store.ts";
import type { WatchedCache } from "./watched-cache.ts";

/** How old the rights may be that a request is judged by. */
export type Freshness = "at most a second old" | "now";

/** Demands of a request on the rights of its caller. */
export interface Demand {
  readonly freshness: Freshness;
  /** A caller without one of them is looked up again before it is refused. */
  readonly permissions: readonly string[];
}

/** A verified credential. */
export interface Credential {
  /** Null for a user that is not known. */
  readonly userId: string | null;
  /** Whether a second factor stands behind it. */
  readonly secondFactor: boolean;
  /** The caller when the account has that state, or why there is none. */
  readonly callerOf: (account: Account) => Caller | ServiceError;
  /** Called when the caller is let in. */
  readonly accepted: (() => Promise<void>) | null;
}

/**
 * The caller of a credential. Accounts in memory only let in: whoever would be refused, or lacks a permission, is
 * judged again by the database, so that new rights hold from the next request on.
 *
 * @throws {ServiceError} as `Identity.authenticate`
 */
export async function judge(
  accounts: WatchedCache<Account>,
  credential: Credential,
  { freshness, permissions }: Demand,
): Promise<Caller> {
  const { userId } = credential;
  if (userId === null) throw unknownUser();
  let verdict = verdictOn(credential, await readAs(accounts, userId, freshness));
  if (freshness !== "now" && (verdict instanceof ServiceError || lacksOne(verdict, permissions))) {
    verdict = verdictOn(credential, await accounts.readFresh(userId));
  }
  if (verdict instanceof ServiceError) throw verdict;
  await credential.accepted?.();
  return verdict;
}

function verdictOn(credential: Credential, account: Account | null): Caller | ServiceError {
  if (account === null) return unknownUser();
  if (account.blocked) return new ServiceError("NOT-AUTHORIZED", "The user is blocked");
  if (account.requireMfa && !credential.secondFactor) {
    return new ServiceError("MFA-REQUIRED", "The user needs a second factor; request a token again to give one");
  }
  return credential.callerOf(account);
}

function unknownUser(): ServiceError {
  return new ServiceError("NOT-AUTHORIZED", "The token's user is not known here");
}

function lacksOne(caller: Caller, permissions: readonly string[]): boolean {
  return permissions.some((permission) => !isGranted(caller.permissions, permission));
}

/** Members that a caller has from its account, with every kind of credential. */
export function memberOf(account: Account): Omit<Caller, "kind" | "permissions" | "secondFactor" | "credential"> {
  return {
    userId: account.id,
    groupId: account.groupId,
    organizationId: account.organizationId,
    accountingGroupId: account.accountingGroupId,
    tier: account.tier,
    email: account.email,
  };
}

/** The value of a subject, as fresh as the request needs it. */
export function readAs<Value>(
  cache: WatchedCache<Value>,
  subject: string,
  freshness: Freshness,
): Promise<Value | null> {
  return freshness === "now" ? cache.readFresh(subject) : cache.read(subject);
}
