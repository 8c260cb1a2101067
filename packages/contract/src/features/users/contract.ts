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
    summary: "Get the caller, or another user",
    conditionalPermissions: ["admin.users.manage"],
    dynamicPermissions: (request) => (request.userId === undefined ? [] : ["admin.users.manage"]),
    request: UserInfoRequest,
    response: User,
    errors: ["NON-EXISTENT-USER"],
  }),
  authorize: defineOperation({
    path: "/user/authorize",
    summary: "Check a token and identify its user",
    access: "public",
    request: Type.Object({ token: Type.String({ maxLength: 8192 }) }),
    response: Type.Object({
      authorized: Type.Boolean(),
      user: Type.Union([User, Type.Null()], { description: "Null for an invalid token" }),
    }),
  }),
  manage: defineOperation({
    path: "/user/manage",
    unknownMembers: "refuse",
    permissions: ["admin.users.manage"],
    summary: "Change a user: name, groups, permissions, block",
    description:
      "Takes effect within a second. A caller grants only permissions that it holds, and lets " +
      "only groups pay that it manages. Only administrators change administrators.",
    request: ManageUserRequest,
    response: User,
    errors: ["NON-EXISTENT-USER", "CONFLICT"],
  }),
  createManaged: defineOperation({
    path: "/user/managed-user/create",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.users.create-managed-user"],
    summary: "Create a user of the group of the caller",
    request: CreateManagedUserRequest,
    response: User,
    errors: ["CONFLICT"],
    rateClass: "initiate",
  }),
  deleteManaged: defineOperation({
    path: "/user/managed-user/delete",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.users.delete-managed-user"],
    summary: "Block a user of the group of the caller",
    description: "organization: any user of the organisation of the caller. admin.users.manage: any user.",
    request: Type.Object({ email: Email }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-USER", "CONFLICT"],
  }),
  createInOrganization: defineOperation({
    path: "/user/organization/create-user",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["organization"],
    summary: "Create a user in a group of the organisation of the caller",
    description: "Administrators may name any group.",
    request: CreateOrganizationUserRequest,
    response: User,
    errors: ["NON-EXISTENT-GROUP", "CONFLICT"],
    rateClass: "initiate",
  }),
  changePassword: defineOperation({
    path: "/user/change-password",
    unknownMembers: "refuse",
    access: "user",
    summary: "Replace the password of the caller and invalidate all its tokens, including this one",
    request: ChangePasswordRequest,
    response: Type.Object({}),
    errors: ["CONFLICT"],
    rateClass: "initiate",
  }),
  list: defineOperation({
    path: "/user/list",
    summary: "List users by e-mail",
    description:
      "admin.users.list or admin.users.manage: all users. organization: users of the organisation of the " +
      "caller. Otherwise: users of the groups that the caller manages.",
    request: ListUsersRequest,
    response: UserList,
    errors: ["INVALID-CURSOR"],
  }),
} as const satisfies FeatureContract;
