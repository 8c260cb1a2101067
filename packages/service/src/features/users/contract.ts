import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../contract-kit/contract.ts";
import { defineOperation } from "../../contract-kit/operation.ts";

const DateTime = Type.String({ description: "ISO 8601 date-time, UTC", examples: ["2026-03-01T12:00:00.000Z"] });
const MaybeText = Type.Union([Type.String(), Type.Null()]);

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    type: Type.String({ description: "user or administrator" }),
    groups: Type.Array(Type.String(), {
      description: "Group ids, the paying one first unless accounting says otherwise",
    }),
    extraPermissions: Type.Array(Type.String(), { description: "Permissions beyond those of the groups" }),
    permissions: Type.Array(Type.String(), { description: "All permissions, sorted" }),
    accounting: Type.Union([Type.String(), Type.Null()], { description: "Group whose credit areas are paid from" }),
    taskingAccounting: Type.Union([Type.String(), Type.Null()], {
      description: "Group whose credit tasking is paid from",
    }),
    applicationLanguage: Type.String(),
    defaultApplication: MaybeText,
    blocked: Type.Boolean(),
    requireMfa: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
    lastLogin: Type.Union([DateTime, Type.Null()]),
    createdBy: MaybeText,
    loginsCount: Type.Integer({ minimum: 0 }),
  },
  { $id: "User", description: "A user with its permissions" },
);
export type User = Static<typeof User>;

export const UserInfoRequest = Type.Object({
  userId: Type.Optional(
    Type.String({ description: "Another user; needs admin.users.manage", minLength: 1, maxLength: 128 }),
  ),
  allowBlocked: Type.Optional(Type.Boolean({ description: "Answer for blocked users too", default: false })),
  ignoreCache: Type.Optional(Type.Boolean({ description: "Read the user afresh", default: false })),
});
export type UserInfoRequest = Static<typeof UserInfoRequest>;

export const usersContract = {
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
} as const satisfies FeatureContract;
