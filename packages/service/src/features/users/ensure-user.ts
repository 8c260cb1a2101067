import { randomBytes } from "node:crypto";
import type { Trx } from "../../platform/context.ts";
import { hashPassword } from "../../platform/identity/password.ts";
import { addUser, type NewAccount, type UserDeps } from "./accounts.ts";
import { askedBy, type Requester } from "./audited.ts";
import { findGroup, findOrganization, updateGroup } from "./group-store.ts";
import * as groups from "./groups.ts";
import { findUser, lockBootstrap } from "./store.ts";

export interface NewUser extends Pick<
  NewAccount,
  "email" | "name" | "groupIds" | "managerOf" | "extraPermissions" | "type" | "createdBy"
> {
  /** Null for users of an external issuer. */
  readonly password: string | null;
}

export interface BootstrapUser {
  readonly email: string;
  /** Null: one is generated. */
  readonly password: string | null;
}

/** The account and group of a bootstrap user that does not exist yet. */
export interface BootstrapAccount {
  readonly groupName: string;
  readonly permissions: readonly string[];
  readonly name: string;
  readonly type: "user" | "administrator";
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

/** Runs in the transaction that makes a user. */
export type OnCreateUser = (trx: Trx, made: { readonly userId: string; readonly groupId: string }) => Promise<void>;

/** @returns the user's id @throws {ServiceError} CONFLICT when the e-mail is taken, BAD-REQUEST when it is none */
export async function createUser(deps: UserDeps, trx: Trx, user: NewUser, by: Requester): Promise<string> {
  const { password, ...account } = user;
  const passwordHash = password === null ? null : await hashPassword(password);
  return await addUser(deps, trx, { ...account, passwordHash }, by);
}

/** The user of that e-mail, made with its group when missing. */
export function ensureUser(
  deps: UserDeps,
  wanted: BootstrapUser,
  account: BootstrapAccount,
  onCreate?: OnCreateUser,
): Promise<EnsuredUser> {
  return deps.db.transaction().execute(async (trx) => {
    await lockBootstrap(trx);
    const groupId = await ensureGroup(deps, trx, account.groupName, account.permissions);
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
    const password = wanted.password ?? generatedPassword;
    const { name, type } = account;
    const user = { email: wanted.email, name, password, groupIds: [groupId], type };
    const userId = await createUser(deps, trx, user, "system");
    await onCreate?.(trx, { userId, groupId });
    return { userId, groupId, email: wanted.email.toLowerCase(), created: true, generatedPassword };
  });
}

/** The group of that name holding at least these permissions, in an organisation of the same name when made. */
async function ensureGroup(deps: UserDeps, trx: Trx, name: string, permissions: readonly string[]): Promise<string> {
  const group = await findGroup(trx, { name });
  if (group === null) {
    const organization = await findOrganization(trx, { name });
    const organizationId = organization?.id ?? (await groups.addOrganization(deps, trx, name, "system"));
    return groups.addGroup(deps, trx, { name, permissions, organizationId }, "system");
  }
  const missing = permissions.filter((permission) => !group.permissions.includes(permission));
  if (missing.length > 0) {
    const all = [...group.permissions, ...missing];
    await updateGroup(trx, group.id, { permissions: all, updated_at: deps.clock.now() });
    await deps.audit.record(trx, {
      ...askedBy("system"),
      action: "group.manage",
      target: { kind: "group", id: group.id },
      before: { permissions: group.permissions },
      after: { permissions: all },
    });
  }
  return group.id;
}
