import { Type } from "typebox";
import type { Static } from "typebox";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";

export const DateTime = Type.String({ description: "ISO 8601 date-time, UTC", examples: ["2026-03-01T12:00:00.000Z"] });
const MaybeText = Type.Union([Type.String(), Type.Null()]);

/** Ids of users, groups and organisations, as requests name them. */
export const Id = (description: string) => Type.String({ description, minLength: 1, maxLength: 128 });

/** Text without line breaks or other control characters. */
export const Name = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 200, pattern: "^[^\\u0000-\\u001f\\u007f]*$" });

/** `text@text.text`, as the interface asks; the longest address of RFC 5321. */
export const Email = Type.String({
  description: "text@text.text",
  maxLength: 254,
  pattern: "^[^@\\s\\u0000-\\u001f\\u007f]+@[^@\\s\\u0000-\\u001f\\u007f]+\\.[^@\\s\\u0000-\\u001f\\u007f]+$",
  examples: ["ada@example.org"],
});

const Password = Type.String({
  description: "8 to 256 characters, not the e-mail address",
  minLength: 8,
  maxLength: 256,
});

/** Dot-separated segments of the characters of provider and dataset identifiers. */
const Permission = Type.String({
  description: "Dot-separated; grants itself and all permissions below it",
  maxLength: 256,
  pattern: "^[A-Za-z0-9_/:+@-]+(\\.[A-Za-z0-9_/:+@-]+)*$",
  examples: ["imagery.availability.ee"],
});
export const Permissions = Type.Array(Permission, { maxItems: 10_000, uniqueItems: true });

const userMembers = {
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  type: Type.String({ description: "user or administrator" }),
  groups: Type.Array(Type.String(), { description: "Group ids; the user belongs to the first" }),
  extraPermissions: Type.Array(Type.String(), {
    description: "Extra permissions, besides the permissions of the groups",
  }),
  permissions: Type.Array(Type.String(), { description: "All permissions, sorted" }),
  accounting: Type.Union([Type.String(), Type.Null()], { description: "Group whose credit pays for areas" }),
  taskingAccounting: Type.Union([Type.String(), Type.Null()], {
    description: "Group whose credit pays for tasking",
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
};

export const User = Type.Object(userMembers, { $id: "User", description: "A user with its permissions" });
export type User = Static<typeof User>;

// Permissions may be thousands per user: a list of users leaves them out.
const { extraPermissions: _extra, permissions: _all, ...listedMembers } = userMembers;

export const ListedUser = Type.Object({
  ...listedMembers,
  managerOf: Type.Array(Type.String(), { description: "Groups that the user manages" }),
});
export type ListedUser = Static<typeof ListedUser>;

export const UserInfoRequest = Type.Object({
  userId: Type.Optional(Id("Another user; needs admin.users.manage")),
  allowBlocked: Type.Optional(Type.Boolean({ description: "Include blocked users", default: false })),
  ignoreCache: Type.Optional(Type.Boolean({ description: "Accepted for older clients; answers are always current" })),
});
export type UserInfoRequest = Static<typeof UserInfoRequest>;

const GroupIds = Type.Array(Id("Group"), { maxItems: 100, uniqueItems: true });

export const ManageUserRequest = Type.Object({
  userId: Id("User to change"),
  set: Type.Object(
    {
      name: Type.Optional(Name("Display name")),
      blocked: Type.Optional(Type.Boolean({ description: "Blocks the user, everywhere within a second" })),
      requireMfa: Type.Optional(Type.Boolean()),
      groups: Type.Optional({ ...GroupIds, description: "All groups; the user belongs to the first" }),
      managerOf: Type.Optional({ ...GroupIds, description: "Groups that the user manages, among its groups" }),
      extraPermissions: Type.Optional({
        ...Permissions,
        description: "All extra permissions, besides the permissions of the groups",
      }),
      accounting: Type.Optional(Id("Group whose credit pays for areas, among those that the caller manages")),
      taskingAccounting: Type.Optional(Id("Group whose credit pays for tasking, among those that the caller manages")),
      applicationLanguage: Type.Optional(
        Type.String({ description: "BCP 47", maxLength: 35, pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$" }),
      ),
      defaultApplication: Type.Optional(Type.Union([Name("Application to open"), Type.Null()])),
    },
    { description: "Members to change; all others stay" },
  ),
});
export type ManageUserRequest = Static<typeof ManageUserRequest>;

export const CreateManagedUserRequest = Type.Object({
  email: Email,
  password: Password,
  name: Name("Display name"),
  requireMfa: Type.Optional(Type.Boolean({ default: false })),
});
export type CreateManagedUserRequest = Static<typeof CreateManagedUserRequest>;

export const CreateOrganizationUserRequest = Type.Object({
  email: Email,
  password: Password,
  name: Name("Display name"),
  requireMfa: Type.Optional(Type.Boolean({ default: false })),
  groupId: Id("Group of the user, in the organisation of the caller"),
  isManager: Type.Boolean({ description: "Whether the user manages that group" }),
  accounting: Type.Optional(Id("Group of the organisation that pays for areas; by default the group of the user")),
  taskingAccounting: Type.Optional(
    Id("Group of the organisation that pays for tasking; by default the group that pays for areas"),
  ),
  frontendApplication: Type.Optional(Name("Application to open; `defaultApplication` of the user")),
});
export type CreateOrganizationUserRequest = Static<typeof CreateOrganizationUserRequest>;

export const ChangePasswordRequest = Type.Object({
  currentPassword: Type.String({ minLength: 1, maxLength: 1024 }),
  newPassword: Password,
});
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;

export const PageLimit = Type.Integer({ minimum: 1, maximum: 500, default: 100 });

export const ListUsersRequest = Type.Object({
  groupId: Type.Optional(Id("Users who belong to this group")),
  organizationId: Type.Optional(Id("Users who belong to a group of this organisation")),
  search: Type.Optional(Type.String({ description: "Part of name or e-mail", minLength: 1, maxLength: 200 })),
  blocked: Type.Optional(Type.Boolean({ description: "true: blocked users only; false: others only" })),
  limit: Type.Optional(PageLimit),
  cursor: Type.Optional(CursorSchema),
});
export type ListUsersRequest = Static<typeof ListUsersRequest>;

export const UserList = Type.Object({ results: Type.Array(ListedUser), cursor: NextCursorSchema });
export type UserList = Static<typeof UserList>;
