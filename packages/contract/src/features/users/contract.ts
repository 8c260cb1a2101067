import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { groupContract } from "./group-contract.ts";
import {
  ChangePasswordRequest,
  CreateManagedUserRequest,
  CreateOrganizationUserRequest,
  Email,
  ListUsersRequest,
  ManageUserRequest,
  User,
  UserInfoRequest,
  UserList,
} from "./user-contract.ts";

export const usersContract = {
  ...groupContract,
  info: defineOperation({
    path: "/user/info",
    summary: "The caller, or another user",
    dynamicPermissions: (request) => (request.userId === undefined ? [] : ["admin.users.manage"]),
    request: UserInfoRequest,
    response: User,
    errors: ["NON-EXISTENT-USER"],
  }),
  authorize: defineOperation({
    path: "/user/authorize",
    summary: "Whether a token is good, and whose it is",
    access: "public",
    request: Type.Object({ token: Type.String({ maxLength: 8192 }) }),
    response: Type.Object({
      authorized: Type.Boolean(),
      user: Type.Union([User, Type.Null()], { description: "Null when the token is not good" }),
    }),
  }),
  manage: defineOperation({
    path: "/user/manage",
    permissions: ["admin.users.manage"],
    summary: "Changes a user: name, groups, permissions, block",
    description:
      "Holds from the user's next request on. Nobody gives permissions that he does not hold, and nobody but an administrator changes one.",
    request: ManageUserRequest,
    response: User,
    errors: ["NON-EXISTENT-USER", "CONFLICT"],
  }),
  createManaged: defineOperation({
    path: "/user/managed-user/create",
    access: "user",
    permissions: ["admin.users.create-managed-user"],
    summary: "A new user of the caller's group",
    request: CreateManagedUserRequest,
    response: User,
    errors: ["CONFLICT"],
    rateClass: "initiate",
  }),
  deleteManaged: defineOperation({
    path: "/user/managed-user/delete",
    access: "user",
    permissions: ["admin.users.delete-managed-user"],
    summary: "Blocks the account of a user of the caller's group",
    description: "Of the caller's organisation with organization, of any with admin.users.manage.",
    request: Type.Object({ email: Email }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-USER", "CONFLICT"],
  }),
  createInOrganization: defineOperation({
    path: "/user/organization/create-user",
    access: "user",
    permissions: ["organization"],
    summary: "A new user in a group of the caller's organisation",
    description: "Administrators may name a group of any organisation.",
    request: CreateOrganizationUserRequest,
    response: User,
    errors: ["NON-EXISTENT-GROUP", "CONFLICT"],
    rateClass: "initiate",
  }),
  changePassword: defineOperation({
    path: "/user/change-password",
    access: "user",
    summary: "Replaces the caller's password and ends all of its tokens, this one included",
    request: ChangePasswordRequest,
    response: Type.Object({}),
    errors: ["CONFLICT"],
    rateClass: "initiate",
  }),
  list: defineOperation({
    path: "/user/list",
    summary: "Users, by e-mail",
    description:
      "All with admin.users.list or admin.users.manage, those of the caller's organisation with organization, else those of the groups the caller manages.",
    request: ListUsersRequest,
    response: UserList,
    errors: ["INVALID-CURSOR"],
  }),
} as const satisfies FeatureContract;
