import type { RequestContext, Caller, Trx } from "../../platform/context.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import { createLoginThrottle } from "../../platform/identity/login-throttle.ts";
import { UNWATCHED, type RightsChanges } from "../../platform/identity/rights-changes.ts";
import type { UserDeps } from "./accounts.ts";
import type { Requester } from "./audited.ts";
import { deleteManagedUser, setBlocked } from "./block-user.ts";
import { changePassword, setPassword } from "./change-password.ts";
import { createManagedUser, createOrganizationUser } from "./create-user.ts";
import { deleteGroup, deleteOrganization } from "./delete-group.ts";
import {
  createUser,
  ensureUser,
  type BootstrapAccount,
  type BootstrapUser,
  type EnsuredUser,
  type NewUser,
  type OnCreateUser,
} from "./ensure-user.ts";
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
import * as groups from "./groups.ts";
import type { NewGroup } from "./groups.ts";
import { manageUser } from "./manage-user.ts";
import { ADMINISTRATOR_PERMISSIONS, DEMO_PERMISSIONS } from "./permissions.ts";
import {
  authorize,
  isInOrganizationOf,
  knownUsers,
  listReachedUsers,
  managesGroup,
  userInfo,
  type KnownUser,
} from "./read-users.ts";
import { reachesInCare, type Reach } from "./reach.ts";
import { requireMayChange } from "./rights.ts";
import { findUser, listMemberships } from "./store.ts";
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
export type { EnsuredUser } from "./ensure-user.ts";

/** Users, their groups and the organisations of these. Every change is in the record of changes. */
export interface UserService {
  info(caller: Caller, request: UserInfoRequest): Promise<KnownUser>;
  authorize(token: string): Promise<{ authorized: boolean; user: User | null }>;
  manage(by: RequestContext, request: ManageUserRequest): Promise<User>;
  createManaged(by: RequestContext, request: CreateManagedUserRequest): Promise<User>;
  deleteManaged(by: RequestContext, email: string): Promise<void>;
  createInOrganization(by: RequestContext, request: CreateOrganizationUserRequest): Promise<User>;
  changePassword(by: RequestContext, request: ChangePasswordRequest): Promise<void>;
  list(by: RequestContext, request: ListUsersRequest): Promise<UserList>;
  addGroup(by: RequestContext, request: CreateGroupRequest): Promise<Group>;
  manageGroup(by: RequestContext, request: ManageGroupRequest): Promise<Group>;
  deleteGroup(by: RequestContext, groupId: string): Promise<void>;
  deleteOrganization(by: RequestContext, organizationId: string): Promise<void>;
  groupInfo(by: RequestContext, groupId: string): Promise<Group>;
  listGroups(by: RequestContext, request: ListGroupsRequest): Promise<GroupList>;
  addOrganization(by: RequestContext, name: string): Promise<Organization>;
  listOrganizations(request: ListOrganizationsRequest): Promise<OrganizationList>;

  /**
   * Whether the caller may change the user; users that do not exist may be changed.
   * @throws {ServiceError} NOT-AUTHORIZED
   */
  requireMayChange(caller: Caller, userId: string): Promise<void>;
  /** Whether the user manages that group. */
  managesGroup(userId: string, groupId: string): Promise<boolean>;
  /** Whether that group is of the organisation the user belongs to; false for groups that do not exist. */
  isInOrganizationOf(userId: string, groupId: string): Promise<boolean>;

  /**
   * Groups whose matters the caller looks after: all of them with `everything`, with `organization` the organisation of
   * its group, and the groups that it manages.
   */
  groupsInCare(
    caller: Pick<Caller, "userId" | "permissions">,
    permissions: { readonly everything: string; readonly organization: string },
  ): Promise<readonly Reach[]>;
  /**
   * A group that the caller looks after: any with the permission, with `organization` a group of its organisation, or one
   * that it manages.
   * @throws {ServiceError} NON-EXISTENT-GROUP, also out of reach; NOT-AUTHORIZED for a caller who looks after none
   */
  groupInCare(caller: Caller, groupId: string, permission: string): Promise<Group>;
  /** @throws {ServiceError} NON-EXISTENT-GROUP */
  groupName(groupId: string): Promise<string>;

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
  ensureDemoUser(user: BootstrapUser, onCreate?: OnCreateUser): Promise<EnsuredUser>;
}

const ADMINISTRATOR: BootstrapAccount = {
  groupName: "Administrators",
  permissions: ADMINISTRATOR_PERMISSIONS,
  name: "Administrator",
  type: "administrator",
};
const DEMO: BootstrapAccount = { groupName: "Demo", permissions: DEMO_PERMISSIONS, name: "Demo", type: "user" };

export interface UserServiceDeps extends UserDeps {
  readonly identity: Pick<Identity, "authenticateToken">;
  /** Without it, users are read from the database for each request. */
  readonly rights?: RightsChanges;
}

export function createUserService(deps: UserServiceDeps): UserService {
  const { db, identity, rights = UNWATCHED } = deps;
  const known = knownUsers(db, rights);
  const throttle = createLoginThrottle(deps);
  return {
    info: (caller, request) => userInfo(known, caller, request),
    authorize: (token) => authorize(known, identity, token),
    manage: (by, request) => manageUser(deps, by, request),
    createManaged: (by, request) => createManagedUser(deps, by, request),
    deleteManaged: (by, email) => deleteManagedUser(deps, by, email),
    createInOrganization: (by, request) => createOrganizationUser(deps, by, request),
    changePassword: (by, request) => changePassword({ ...deps, throttle }, by, request),
    list: (by, request) => listReachedUsers(db, by, request),
    addGroup: (by, request) => groups.createGroup(deps, by, request),
    manageGroup: (by, request) => groups.manageGroup(deps, by, request),
    deleteGroup: (by, groupId) => deleteGroup(deps, by, groupId),
    deleteOrganization: (by, organizationId) => deleteOrganization(deps, by, organizationId),
    groupInfo: (by, groupId) => groups.groupInfo(deps, by, groupId),
    listGroups: (by, request) => groups.listGroups(deps, by, request),
    addOrganization: (by, name) => groups.createOrganization(deps, by, name),
    listOrganizations: (request) => groups.listOrganizations(deps, request),

    async requireMayChange(caller, userId) {
      const row = await findUser(db, { id: userId });
      if (row !== null) requireMayChange(caller, row);
    },
    managesGroup: (userId, groupId) => managesGroup(db, userId, groupId),
    isInOrganizationOf: (userId, groupId) => isInOrganizationOf(db, userId, groupId),

    groupsInCare: async ({ userId, permissions }, needed) =>
      reachesInCare(permissions, await listMemberships(db, userId), needed),
    groupInCare: (caller, groupId, permission) => groups.groupInCare(deps, caller, groupId, permission),
    groupName: (groupId) => groups.groupName(deps, groupId),

    createGroup: (trx, group, by = "system") => groups.addGroup(deps, trx, group, by),
    createUser: (trx, user, by = "system") => createUser(deps, trx, user, by),
    setBlocked: (userId, blocked, by = "system") => setBlocked(deps, { id: userId }, blocked, by),
    setPassword: (email, password, by = "system") => setPassword(deps, email, password, by),
    ensureAdministrator: (user) => ensureUser(deps, user, ADMINISTRATOR),
    ensureDemoUser: (user, onCreate) => ensureUser(deps, user, DEMO, onCreate),
  };
}
