import { isGranted } from "@swath/kernel/permissions/permission";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import { newApiKey, shownPrefix } from "../../platform/identity/api-key.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { AuditService } from "../audit/service.ts";
import type { UserService } from "../users/service.ts";
import { DEFAULT_LIFETIME_DAYS, MAX_KEYS_PER_USER } from "@swath/contract/features/api-keys/contract";
import type { ApiKey, CreateApiKeyRequest, CreatedApiKey } from "@swath/contract/features/api-keys/contract";
import { countKeys, deleteKey, insertKey, lockOwner, selectKeys } from "./store.ts";
import type { ShownKeyRow } from "./store.ts";

/** API keys of users; `platform/identity` says who calls with one. */
export interface ApiKeyService {
  /** @throws {ServiceError} NOT-AUTHORIZED for a permission the caller has not, CONFLICT for one key too many */
  create(caller: Caller, request: CreateApiKeyRequest, requestId: string): Promise<CreatedApiKey>;
  /** @param userId the caller unless given */
  list(caller: Caller, userId?: string): Promise<{ results: ApiKey[] }>;
  /**
   * Revokes a key of the caller, or of the named user.
   *
   * @throws {ServiceError} NON-EXISTENT-API-KEY also for a key of somebody else; NOT-AUTHORIZED for an administrator,
   *   unless the caller is one
   */
  revoke(caller: Caller, key: OwnedKey, requestId: string): Promise<Record<string, never>>;
}

interface OwnedKey {
  readonly id: string;
  readonly userId?: string;
}

const DAY_MS = 86_400_000;

export function createApiKeyService(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<AuditService, "record">;
  readonly users: Pick<UserService, "requireMayChange">;
}): ApiKeyService {
  const { db, clock, audit, users } = deps;
  return {
    async create(caller, request, requestId) {
      const permissions = [...new Set(request.permissions)].toSorted();
      for (const permission of permissions) {
        if (!isGranted(caller.permissions, permission)) {
          throw new ServiceError("NOT-AUTHORIZED", `A key cannot have ${permission}, which its owner has not`);
        }
      }
      const { id, key, secretHash } = newApiKey();
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + (request.expiresInDays ?? DEFAULT_LIFETIME_DAYS) * DAY_MS);
      await inTransaction(db, async (trx) => {
        await lockOwner(trx, caller.userId);
        if ((await countKeys(trx, caller.userId)) >= MAX_KEYS_PER_USER) {
          throw new ServiceError("CONFLICT", `There are ${MAX_KEYS_PER_USER} keys already; revoke one first`);
        }
        await insertKey(trx, {
          id,
          user_id: caller.userId,
          name: request.name,
          secret_hash: secretHash,
          permissions,
          second_factor: caller.secondFactor ?? false,
          created_at: createdAt,
          expires_at: expiresAt,
          last_used_at: null,
        });
        await audit.record(trx, {
          actor: caller,
          requestId,
          action: "api-key.create",
          target: { kind: "api-key", id },
          after: { name: request.name, permissions, expiresAt: expiresAt.toISOString() },
        });
      });
      return { ...shown({ id, name: request.name, permissions, createdAt, expiresAt, lastUsedAt: null }), key };
    },

    async list(caller, userId = caller.userId) {
      const rows = await selectKeys(db, userId, MAX_KEYS_PER_USER);
      return { results: rows.map((row) => shown(fromRow(row))) };
    },

    async revoke(caller, { id, userId = caller.userId }, requestId) {
      if (userId !== caller.userId) await users.requireMayChange(caller, userId);
      await inTransaction(db, async (trx) => {
        const row = await deleteKey(trx, userId, id);
        if (row === null) throw new ServiceError("NON-EXISTENT-API-KEY", `There is no API key "${id}" of the user`);
        await audit.record(trx, {
          actor: caller,
          requestId,
          action: "api-key.revoke",
          target: { kind: "api-key", id },
          before: { name: row.name, permissions: row.permissions, expiresAt: row.expires_at.toISOString() },
        });
      });
      return {};
    },
  };
}

interface KeyParts {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

function fromRow(row: ShownKeyRow): KeyParts {
  const { id, name, permissions, created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt } = row;
  return { id, name, permissions, createdAt, expiresAt, lastUsedAt };
}

function shown(key: KeyParts): ApiKey {
  return {
    id: key.id,
    name: key.name,
    prefix: shownPrefix(key.id),
    permissions: [...key.permissions],
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt.toISOString(),
    lastUsed: key.lastUsedAt?.toISOString() ?? null,
  };
}
