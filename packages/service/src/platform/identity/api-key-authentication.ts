import { isGranted } from "@swath/kernel/permissions/permission";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../context.ts";
import type { Account } from "./account-store.ts";
import { readApiKey, secretMatches } from "./api-key.ts";
import { findApiKey, touchApiKey } from "./api-key-store.ts";

const CACHE_SIZE = 10_000;
/** The last use is written this often at most, milliseconds. */
const TOUCH_INTERVAL_MS = 60_000;

/**
 * Says who calls with an API key. Key and owner are read from the database for each request, so that a revoked key
 * and a blocked owner stop at the next one.
 *
 * @param deps.accountOf the owner as it is now; refuses one that is blocked
 */
export function createApiKeyAuthentication(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly accountOf: (userId: string, secondFactor: boolean) => Promise<Account>;
}): (key: string) => Promise<Caller> {
  const { db, clock, accountOf } = deps;
  // Permissions of a key never change; a change of the permissions of an account makes a new set.
  const scopes = new LRUCache<string, { readonly of: ReadonlySet<string>; readonly permissions: ReadonlySet<string> }>({
    max: CACHE_SIZE,
  });

  return async (key) => {
    const now = clock.now();
    const parts = readApiKey(key);
    const row = parts === null ? null : await findApiKey(db, parts.id);
    const matches = secretMatches(parts?.secret ?? "", row?.secretHash ?? null);
    if (row === null || !matches) throw new ServiceError("NOT-AUTHORIZED", "The API key is not known here");
    if (row.expiresAt <= now) throw new ServiceError("NOT-AUTHORIZED", "The API key has expired");
    const account = await accountOf(row.userId, row.secondFactor);
    if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() >= TOUCH_INTERVAL_MS) {
      await touchApiKey(db, row.id, now, new Date(now.getTime() - TOUCH_INTERVAL_MS));
    }
    let scope = scopes.get(row.id);
    if (scope?.of !== account.permissions) {
      const permissions = commonPermissions(new Set(row.permissions), account.permissions);
      scope = { of: account.permissions, permissions };
      scopes.set(row.id, scope);
    }
    return {
      kind: "api-key",
      userId: account.id,
      groupId: account.groupId,
      organizationId: account.organizationId,
      accountingGroupId: account.accountingGroupId,
      email: account.email,
      permissions: scope.permissions,
      secondFactor: row.secondFactor,
    };
  };
}

/** Permissions that both sets grant. Of two permissions where one grants the other, the result has the longer. */
export function commonPermissions(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  const common = new Set<string>();
  for (const permission of one) if (isGranted(other, permission)) common.add(permission);
  for (const permission of other) if (isGranted(one, permission)) common.add(permission);
  return common;
}
