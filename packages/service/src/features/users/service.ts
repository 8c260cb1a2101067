import { randomBytes } from "node:crypto";
import { statusOf } from "../../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db, RequestContext, Trx } from "../../platform/context.ts";
import { findCredential } from "../../platform/identity/account-store.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import { createLoginThrottle } from "../../platform/identity/login-throttle.ts";
import { hashPassword } from "../../platform/identity/password.ts";
import type { AuditService } from "../audit/service.ts";
import { addUser } from "./accounts.ts";
import { askedBy, type Requester } from "./audited.ts";
import { deleteManagedUser, setBlocked } from "./block-user.ts";
import { changePassword, storePassword } from "./change-password.ts";
import { createManagedUser, createOrganizationUser } from "./create-user.ts";
import type {
  CreateGroupRequest,
  Group,
  GroupList,
  ListGroupsRequest,
  ListOrganizationsRequest,
  ManageGroupRequest,
  Organization,
  OrganizationList,
} from "@swath/contract/features/users/group-contract";
import { findGroup, findOrganization, updateGroup } from "./group-store.ts";
import * as groups from "./groups.ts";
import type { NewGroup } from "./groups.ts";
import { idAfter, pageOf } from "./list-cursor.ts";
import { manageUser } from "./manage-user.ts";
import { ADMINISTRATOR_PERMISSIONS, DEMO_PERMISSIONS } from "./permissions.ts";
import { listReach, organizationReach, reaches } from "./reach.ts";
import { findUser, listMemberships, listUsers, lockBootstrap } from "./store.ts";
import { listedUser, userAnswer } from "./user-answer.ts";
import type {
  ChangePasswordRequest,
  CreateManagedUserRequest,
  CreateOrganizationUserRequest,
  ListUsersRequest,
  ManageUserRequest,
  User,
  UserInfoRequest,
  UserList,
} from "@swath/contract/features/users/user-contract";

export type { NewGroup } from "./groups.ts";

export interface NewUser {
  readonly email: string;
  readonly name: string;
  /** Null for users of an external issuer. */
  readonly password: string | null;
  /** The user belongs to the first one, which pays. */
  readonly groupIds: readonly string[];
  /** Those of the groups that the user manages. */
  readonly managerOf?: readonly string[];
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

/** Users, their groups and the organisations of these. Every change is in the record of changes. */
export interface UserService {
  info(caller: Caller, request: UserInfoRequest): Promise<User>;
  authorize(token: string): Promise<{ authorized: boolean; user: User | null }>;
  manage(by: RequestContext, request: ManageUserRequest): Promise<User>;
  createManaged(by: RequestContext, request: CreateManagedUserRequest): Promise<User>;
  deleteManaged(by: RequestContext, email: string): Promise<void>;
  createInOrganization(by: RequestContext, request: CreateOrganizationUserRequest): Promise<User>;
  changePassword(by: RequestContext, request: ChangePasswordRequest): Promise<void>;
  list(by: RequestContext, request: ListUsersRequest): Promise<UserList>;
  addGroup(by: RequestContext, request: CreateGroupRequest): Promise<Group>;
  manageGroup(by: RequestContext, request: ManageGroupRequest): Promise<Group>;
  groupInfo(by: RequestContext, groupId: string): Promise<Group>;
  listGroups(by: RequestContext, request: ListGroupsRequest): Promise<GroupList>;
  addOrganization(by: RequestContext, name: string): Promise<Organization>;
  listOrganizations(request: ListOrganizationsRequest): Promise<OrganizationList>;

  /** Whether the user manages that group. */
  managesGroup(userId: string, groupId: string): Promise<boolean>;
  /** Whether that group is of the organisation the user belongs to; false for groups that do not exist. */
  isInOrganizationOf(userId: string, groupId: string): Promise<boolean>;

  /** @returns the group's id @throws {ServiceError} CONFLICT when the name is taken */
  createGroup(trx: Trx, group: NewGroup, by?: Requester): Promise<string>;
  /** @returns the user's id @throws {ServiceError} CONFLICT when the e-mail is taken, BAD-REQUEST when it is none */
  createUser(trx: Trx, user: NewUser, by?: Requester): Promise<string>;
  /** Every token of a blocked user stops working at once. @throws {ServiceError} NON-EXISTENT-USER, CONFLICT */
  setBlocked(userId: string, blocked: boolean, by?: Requester): Promise<void>;
  /** Ends the user's tokens. @throws {ServiceError} NON-EXISTENT-USER */
  setPassword(email: string, password: string, by?: Requester): Promise<void>;
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

const DEFAULT_LIMIT = 100;

export function createUserService(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly identity: Pick<Identity, "authenticateToken">;
  readonly audit: Pick<AuditService, "record">;
}): UserService {
  const { db, clock, identity, audit } = deps;
  const throttle = createLoginThrottle({ db, clock });

  async function createUser(trx: Trx, user: NewUser, by: Requester = "system"): Promise<string> {
    const passwordHash = user.password === null ? null : await hashPassword(user.password);
    return addUser(deps, trx, { ...user, passwordHash }, by);
  }

  /** The group of that name holding at least these permissions, in an organisation of the same name when made. */
  async function ensureGroup(trx: Trx, name: string, permissions: readonly string[]): Promise<string> {
    const group = await findGroup(trx, { name });
    if (group === null) {
      const organization = await findOrganization(trx, { name });
      const organizationId = organization?.id ?? (await groups.addOrganization(deps, trx, name, "system"));
      return groups.addGroup(deps, trx, { name, permissions, organizationId }, "system");
    }
    const missing = permissions.filter((permission) => !group.permissions.includes(permission));
    if (missing.length > 0) {
      const all = [...group.permissions, ...missing];
      await updateGroup(trx, group.id, { permissions: all, updated_at: clock.now() });
      await audit.record(trx, {
        ...askedBy("system"),
        action: "group.manage",
        target: { kind: "group", id: group.id },
        before: { permissions: group.permissions },
        after: { permissions: all },
      });
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
        if (error instanceof ServiceError && statusOf(error) === 401) return { authorized: false, user: null };
        throw error;
      }
    },
    manage: (by, request) => manageUser(deps, by, request),
    createManaged: (by, request) => createManagedUser(deps, by, request),
    deleteManaged: (by, email) => deleteManagedUser(deps, by, email),
    createInOrganization: (by, request) => createOrganizationUser(deps, by, request),
    changePassword: (by, request) => changePassword({ ...deps, throttle }, by, request),
    async list(by, request) {
      const after = idAfter(request.cursor);
      const memberships = await listMemberships(db, by.caller.userId);
      const reach = listReach(by.caller.permissions, memberships, ["admin.users.list", "admin.users.manage"]);
      const limit = request.limit ?? DEFAULT_LIMIT;
      const rows = await listUsers(db, {
        reach,
        groupId: request.groupId ?? null,
        organizationId: request.organizationId ?? null,
        search: request.search ?? null,
        blocked: request.blocked ?? null,
        after,
        limit: limit + 1,
      });
      return pageOf(rows, limit, listedUser);
    },
    addGroup: (by, request) => groups.createGroup(deps, by, request),
    manageGroup: (by, request) => groups.manageGroup(deps, by, request),
    groupInfo: (by, groupId) => groups.groupInfo(deps, by, groupId),
    listGroups: (by, request) => groups.listGroups(deps, by, request),
    addOrganization: (by, name) => groups.createOrganization(deps, by, name),
    listOrganizations: (request) => groups.listOrganizations(deps, request),

    async managesGroup(userId, groupId) {
      const memberships = await listMemberships(db, userId);
      return memberships.some((one) => one.group_id === groupId && one.is_manager);
    },
    async isInOrganizationOf(userId, groupId) {
      const group = await findGroup(db, { id: groupId });
      return group !== null && reaches(organizationReach(await listMemberships(db, userId)), group);
    },

    createGroup: (trx, group, by = "system") => groups.addGroup(deps, trx, group, by),
    createUser,
    setBlocked: (userId, blocked, by = "system") => setBlocked(deps, { id: userId }, blocked, by),
    async setPassword(email, password, by = "system") {
      const user = await findCredential(db, email.toLowerCase());
      if (user === null) throw new ServiceError("NON-EXISTENT-USER", `There is no user with the e-mail "${email}"`);
      await storePassword(deps, user, password, by);
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
