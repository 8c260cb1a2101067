import type { Caller } from "../context.ts";

/** A caller without methods and sets, as stored. */
export interface StoredCaller {
  readonly kind: Caller["kind"];
  readonly userId: string;
  readonly groupId: string;
  readonly organizationId: string | null;
  readonly accountingGroupId: string;
  readonly email: string;
  readonly permissions: readonly string[];
}

export function storedCaller(caller: Caller): StoredCaller {
  return {
    kind: caller.kind,
    userId: caller.userId,
    groupId: caller.groupId,
    organizationId: caller.organizationId ?? null,
    accountingGroupId: caller.accountingGroupId ?? caller.groupId,
    email: caller.email,
    permissions: [...caller.permissions],
  };
}

export function callerOf(stored: StoredCaller): Caller {
  return { ...stored, permissions: new Set(stored.permissions) };
}
