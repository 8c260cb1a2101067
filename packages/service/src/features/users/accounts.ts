import { randomUUID } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Db, Trx } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/postgres/errors.ts";
import type { AuditService } from "../audit/service.ts";
import { askedBy, type Requester } from "./audited.ts";
import { anAdministratorExists, insertUser, lockRights, replaceMemberships } from "./store.ts";

export interface UserDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<AuditService, "record">;
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  /** Null for users of an external issuer. */
  readonly passwordHash: string | null;
  /** The user belongs to the first one. */
  readonly groupIds: readonly string[];
  readonly managerOf?: readonly string[];
  readonly extraPermissions?: readonly string[];
  readonly requireMfa?: boolean;
  /** The first group unless given. */
  readonly accounting?: string | null;
  readonly taskingAccounting?: string | null;
  readonly defaultApplication?: string | null;
  readonly type?: "user" | "administrator";
  readonly createdBy?: string | null;
}

/** `text@text.text`, as the interface asks. */
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const MAX_EMAIL_LENGTH = 254;

/**
 * Adds a user with its memberships and the entry that tells of it.
 *
 * @returns the user's id
 * @throws {ServiceError} CONFLICT when the e-mail is taken, BAD-REQUEST when it is none
 */
export async function addUser(deps: UserDeps, trx: Trx, user: NewAccount, by: Requester): Promise<string> {
  const email = user.email.toLowerCase();
  if (!EMAIL.test(email) || email.length > MAX_EMAIL_LENGTH) {
    throw new ServiceError("BAD-REQUEST", `"${user.email}" is not an e-mail address, expected name@host.domain`);
  }
  const now = deps.clock.now();
  const id = randomUUID();
  const accounting = user.accounting ?? user.groupIds[0] ?? null;
  const taskingAccounting = user.taskingAccounting ?? accounting;
  const extraPermissions = [...(user.extraPermissions ?? [])];
  const managerOf = user.managerOf ?? [];
  const requireMfa = user.requireMfa ?? false;
  try {
    await insertUser(trx, {
      id,
      email,
      name: user.name,
      type: user.type ?? "user",
      password_hash: user.passwordHash,
      external_subject: null,
      extra_permissions: extraPermissions,
      accounting,
      tasking_accounting: taskingAccounting,
      default_application: user.defaultApplication ?? null,
      require_mfa: requireMfa,
      created_at: now,
      updated_at: now,
      created_by: user.createdBy ?? null,
      last_login: null,
    });
  } catch (error) {
    if (!isUniqueViolation(error, "users_email_key")) throw error;
    throw new ServiceError("CONFLICT", `A user with the e-mail "${email}" exists`, { cause: error });
  }
  await replaceMemberships(
    trx,
    id,
    user.groupIds.map((groupId) => ({ groupId, isManager: managerOf.includes(groupId) })),
  );
  await deps.audit.record(trx, {
    ...askedBy(by),
    action: "user.create",
    target: { kind: "user", id },
    after: {
      email,
      name: user.name,
      groups: user.groupIds,
      managerOf,
      extraPermissions,
      accounting,
      taskingAccounting,
      requireMfa,
    },
  });
  return id;
}

/**
 * Runs a change of rights, one at a time, and takes it back when nobody would be left who may administer.
 *
 * @throws {ServiceError} CONFLICT
 */
export async function keepingAnAdministrator<Result>(trx: Trx, change: () => Promise<Result>): Promise<Result> {
  await lockRights(trx);
  const before = await anAdministratorExists(trx);
  const result = await change();
  if (before && !(await anAdministratorExists(trx))) {
    throw new ServiceError("CONFLICT", "This would leave no administrator who is not blocked");
  }
  return result;
}
