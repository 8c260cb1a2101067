import { isGranted } from "@swath/kernel/permissions/permission";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import type { Account, HeldFrom } from "./account-store.ts";
import { readApiKey, secretMatches } from "./api-key.ts";
import { findApiKey, touchApiKey, type ApiKeyRow } from "./api-key-store.ts";
import { credentialName } from "./credential-name.ts";
import { memberOf, readAs, type Credential, type Freshness } from "./credential.ts";
import type { RightsChanges } from "./rights-changes.ts";
import { createWatchedCache } from "./watched-cache.ts";

const CACHE_SIZE = 10_000;
/** The last use is written this often at most, milliseconds. */
const TOUCH_INTERVAL_MS = 60_000;

/** Verifies API keys. */
export interface ApiKeyAuthentication {
  /** @throws {ServiceError} NOT-AUTHORIZED for an unknown or expired key */
  ofKey(key: string, freshness: Freshness): Promise<Credential>;
  /** The credential of a key by its ID, without its secret. @throws {ServiceError} as `ofKey` */
  ofName(keyId: string): Promise<Credential>;
}

export function createApiKeyAuthentication(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly changes: RightsChanges;
  readonly heldFrom: HeldFrom;
}): ApiKeyAuthentication {
  const { db, clock, changes, heldFrom } = deps;
  const keys = createWatchedCache(
    changes,
    (id) => findApiKey(db, id),
    ({ permissions }) => permissions.length,
  );
  const scopes: Scopes = new LRUCache({ max: CACHE_SIZE });

  function credentialOf(row: ApiKeyRow | null): Credential {
    if (row === null) throw new ServiceError("NOT-AUTHORIZED", "The API key is not known here");
    if (row.expiresAt <= clock.now()) throw new ServiceError("NOT-AUTHORIZED", "The API key has expired");
    const { userId, secondFactor } = row;
    return {
      userId,
      secondFactor,
      callerOf: (account) => ({
        ...memberOf(account),
        kind: "api-key",
        permissions: scopeOf(scopes, row, account, heldFrom),
        secondFactor,
        credential: credentialName({ kind: "key", keyId: row.id }),
      }),
      accepted: null,
    };
  }

  return {
    async ofKey(key, freshness) {
      const parts = readApiKey(key);
      const row = parts === null ? null : await readAs(keys, parts.id, freshness);
      const matches = secretMatches(parts?.secret ?? "", row?.secretHash ?? null);
      const credential = credentialOf(matches ? row : null);
      return { ...credential, accepted: row === null ? null : touch(db, row, clock.now()) };
    },
    ofName: async (keyId) => credentialOf(await keys.read(keyId)),
  };
}

/** Writes the use of a key; null when a use was written a moment ago. */
function touch(db: Db, { id, lastUsedAt }: ApiKeyRow, now: Date): (() => Promise<void>) | null {
  const isDue = lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= TOUCH_INTERVAL_MS;
  return isDue ? () => touchApiKey(db, id, now, new Date(now.getTime() - TOUCH_INTERVAL_MS)) : null;
}

/** Permissions of a key never change; a change of the permissions of an account makes a new set. */
type Scopes = LRUCache<string, { readonly of: ReadonlySet<string>; readonly permissions: ReadonlySet<string> }>;

function scopeOf(
  scopes: Scopes,
  row: ApiKeyRow,
  { permissions: of }: Account,
  heldFrom: HeldFrom,
): ReadonlySet<string> {
  const known = scopes.get(row.id);
  if (known?.of === of) return known.permissions;
  const permissions = commonPermissions(heldFrom(row.permissions), of);
  scopes.set(row.id, { of, permissions });
  return permissions;
}

/** Permissions that both sets grant. Of two permissions where one grants the other, the result has the longer. */
export function commonPermissions(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  const common = new Set<string>();
  for (const permission of one) if (isGranted(other, permission)) common.add(permission);
  for (const permission of other) if (isGranted(one, permission)) common.add(permission);
  return common;
}
