import { randomBytes, randomUUID } from "node:crypto";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import { hashPassword } from "../../platform/identity/password.ts";
import type { User, UserInfoRequest } from "./contract.ts";
import { ADMINISTRATOR_PERMISSIONS, DEMO_PERMISSIONS } from "./permissions.ts";
import {
  findGroupByName,
  findUser,
  insertGroup,
  insertMembership,
  insertUser,
  lockBootstrap,
  updateBlocked,
  updateGroupPermissions,
  updatePassword,
} from "./store.ts";
import type { UserRow } from "./store.ts";

export interface NewGroup {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Null: never. */
  readonly licenseExpiresAt?: Date | null;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  /** Null for users of an external issuer. */
  readonly password: string | null;
  /** The first one pays. */
  readonly groupIds: readonly string[];
  readonly extraPermissions?: readonly string[];
  readonly type?: "user" | "administrator";
  readonly createdBy?: string | null;
}

export interface BootstrapUser {
  readonly email: string;
  /** Null: one is generated. */
  readonly password: string | null;
}

export interface EnsuredUser {
  readonly userId: string;
  readonly groupId: string;
  readonly email: string;
  /** Whether this call made the user. */
  readonly created: boolean;
  /** To be shown once; null when the user was there or the password was given. */
  readonly generatedPassword: string | null;
}

export interface UserService {
  info(caller: Caller, request: UserInfoRequest): Promise<User>;
  authorize(token: string): Promise<{ authorized: boolean; user: User | null }>;
  /** @returns the group's id */
  createGroup(trx: Trx, group: NewGroup): Promise<string>;
  /** @returns the user's id @throws {ServiceError} CONFLICT when the e-mail is taken, BAD-REQUEST when it is none */
  createUser(trx: Trx, user: NewUser): Promise<string>;
  /** Every token of a blocked user stops working at once. @throws {ServiceError} NON-EXISTENT-USER */
  setBlocked(userId: string, blocked: boolean): Promise<void>;
  /** @throws {ServiceError} NON-EXISTENT-USER */
  setPassword(email: string, password: string): Promise<void>;
  /** The administrator of that e-mail, made with the group Administrators when missing. */
  ensureAdministrator(user: BootstrapUser): Promise<EnsuredUser>;
  /**
   * The demonstration user of that e-mail, made with the group Demo when missing.
   *
   * @param onCreate runs in the same transaction when the user is made, to give it credit
   */
  ensureDemoUser(
    user: BootstrapUser,
    onCreate?: (trx: Trx, made: { readonly userId: string; readonly groupId: string }) => Promise<void>,
  ): Promise<EnsuredUser>;
}

/** `text@text.text`, as the interface asks. */
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const MAX_EMAIL_LENGTH = 254;

export function createUserService(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly identity: Pick<Identity, "authenticateToken">;
}): UserService {
  const { db, clock, identity } = deps;

  async function createGroup(trx: Trx, group: NewGroup): Promise<string> {
    const now = clock.now();
    const id = randomUUID();
    await insertGroup(trx, {
      id,
      name: group.name,
      permissions: [...group.permissions],
      license_expires_at: group.licenseExpiresAt ?? null,
      created_at: now,
      updated_at: now,
    });
    return id;
  }

  async function createUser(trx: Trx, user: NewUser): Promise<string> {
    const email = user.email.toLowerCase();
    if (!EMAIL.test(email) || email.length > MAX_EMAIL_LENGTH) {
      throw new ServiceError("BAD-REQUEST", `"${user.email}" is not an e-mail address, expected name@host.domain`);
    }
    if ((await findUser(trx, { email })) !== null) {
      throw new ServiceError("CONFLICT", `A user with the e-mail "${email}" exists`);
    }
    const now = clock.now();
    const id = randomUUID();
    await insertUser(trx, {
      id,
      email,
      name: user.name,
      type: user.type ?? "user",
      password_hash: user.password === null ? null : await hashPassword(user.password),
      external_subject: null,
      extra_permissions: [...(user.extraPermissions ?? [])],
      accounting: user.groupIds[0] ?? null,
      tasking_accounting: user.groupIds[0] ?? null,
      default_application: null,
      created_at: now,
      updated_at: now,
      created_by: user.createdBy ?? null,
      last_login: null,
    });
    for (const [position, groupId] of user.groupIds.entries()) {
      await insertMembership(trx, { userId: id, groupId, position });
    }
    return id;
  }

  /** The group of that name holding at least these permissions. */
  async function ensureGroup(trx: Trx, name: string, permissions: readonly string[]): Promise<string> {
    const group = await findGroupByName(trx, name);
    if (group === null) return createGroup(trx, { name, permissions });
    const missing = permissions.filter((permission) => !group.permissions.includes(permission));
    if (missing.length > 0) {
      await updateGroupPermissions(trx, group.id, [...group.permissions, ...missing], clock.now());
    }
    return group.id;
  }

  function ensureUser(
    wanted: BootstrapUser,
    made: { groupName: string; permissions: readonly string[]; name: string; type: "user" | "administrator" },
    onCreate?: (trx: Trx, user: { readonly userId: string; readonly groupId: string }) => Promise<void>,
  ): Promise<EnsuredUser> {
    return db.transaction().execute(async (trx) => {
      await lockBootstrap(trx);
      const groupId = await ensureGroup(trx, made.groupName, made.permissions);
      const existing = await findUser(trx, { email: wanted.email });
      if (existing !== null) {
        return {
          userId: existing.id,
          groupId: existing.accounting ?? existing.groups[0] ?? groupId,
          email: existing.email,
          created: false,
          generatedPassword: null,
        };
      }
      const generatedPassword = wanted.password === null ? randomBytes(15).toString("base64url") : null;
      const userId = await createUser(trx, {
        email: wanted.email,
        name: made.name,
        password: wanted.password ?? generatedPassword,
        groupIds: [groupId],
        type: made.type,
      });
      await onCreate?.(trx, { userId, groupId });
      return { userId, groupId, email: wanted.email.toLowerCase(), created: true, generatedPassword };
    });
  }

  return {
    createGroup,
    createUser,
    async info(caller, request) {
      const userId = request.userId ?? caller.userId;
      const row = await findUser(db, { id: userId });
      if (row === null || (row.blocked && request.allowBlocked !== true)) {
        throw new ServiceError("NON-EXISTENT-USER", `There is no user "${userId}"`);
      }
      return userAnswer(row);
    },
    async authorize(token) {
      try {
        const caller = await identity.authenticateToken(token);
        const row = await findUser(db, { id: caller.userId });
        return row === null ? { authorized: false, user: null } : { authorized: true, user: userAnswer(row) };
      } catch (error) {
        // A token that is not good is the answer here; an issuer that does not answer is not.
        if (error instanceof ServiceError && error.status === 401) return { authorized: false, user: null };
        throw error;
      }
    },
    async setBlocked(userId, blocked) {
      const known = await updateBlocked(db, userId, blocked, clock.now());
      if (!known) throw new ServiceError("NON-EXISTENT-USER", `There is no user "${userId}"`);
    },
    async setPassword(email, password) {
      const row = await findUser(db, { email });
      if (row === null) throw new ServiceError("NON-EXISTENT-USER", `There is no user with the e-mail "${email}"`);
      await updatePassword(db, row.id, await hashPassword(password), clock.now());
    },
    ensureAdministrator: (user) =>
      ensureUser(user, {
        groupName: "Administrators",
        permissions: ADMINISTRATOR_PERMISSIONS,
        name: "Administrator",
        type: "administrator",
      }),
    ensureDemoUser: (user, onCreate) =>
      ensureUser(user, { groupName: "Demo", permissions: DEMO_PERMISSIONS, name: "Demo", type: "user" }, onCreate),
  };
}

function userAnswer(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    type: row.type,
    groups: [...row.groups],
    extraPermissions: [...row.extra_permissions],
    permissions: [...row.permissions],
    accounting: row.accounting,
    taskingAccounting: row.tasking_accounting ?? row.accounting,
    applicationLanguage: row.application_language,
    defaultApplication: row.default_application,
    blocked: row.blocked,
    requireMfa: row.require_mfa,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    lastLogin: row.last_login?.toISOString() ?? null,
    createdBy: row.created_by,
    loginsCount: row.logins_count,
  };
}
