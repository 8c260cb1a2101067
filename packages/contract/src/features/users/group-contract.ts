import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DateTime, Id, Name, PageLimit, Permissions } from "./user-contract.ts";

const Instant = (description: string) =>
  Type.Union([Type.String({ minLength: 10, maxLength: 40 }), Type.Null()], { description });

const Tier = Type.String({ description: "Price tier", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9_.-]+$" });

const groupSettings = {
  permissions: Type.Optional({ ...Permissions, description: "Permissions of every member" }),
  creditsTier: Type.Optional(Tier),
  licenseStart: Type.Optional(Instant("Begin of the licence, ISO 8601; null: unlimited")),
  licenseEnd: Type.Optional(Instant("End of the licence, ISO 8601; null: unlimited")),
};

const groupMembers = {
  id: Type.String(),
  name: Type.String(),
  organizationId: Type.Union([Type.String(), Type.Null()]),
  permissions: Type.Array(Type.String(), { description: "Permissions of every member" }),
  creditsTier: Type.String(),
  licenseStart: Type.Union([DateTime, Type.Null()]),
  licenseEnd: Type.Union([DateTime, Type.Null()]),
  members: Type.Integer({ minimum: 0, description: "Users, including members who belong to another group first" }),
  createdAt: DateTime,
  updatedAt: DateTime,
};

export const Group = Type.Object(groupMembers, { description: "Users who share permissions, a licence and credit" });
export type Group = Static<typeof Group>;

// Permissions may be thousands per group: a list of groups leaves them out.
const { permissions: _permissions, ...listedMembers } = groupMembers;

export const ListedGroup = Type.Object(listedMembers);
export type ListedGroup = Static<typeof ListedGroup>;

export const CreateGroupRequest = Type.Object({
  organizationId: Id("Organisation of the group"),
  name: Name("Not the name of another group"),
  ...groupSettings,
});
export type CreateGroupRequest = Static<typeof CreateGroupRequest>;

export const ManageGroupRequest = Type.Object({
  groupId: Id("Group to change"),
  set: Type.Object(
    { name: Type.Optional(Name("Not the name of another group")), ...groupSettings },
    { description: "Members to change; all others stay" },
  ),
});
export type ManageGroupRequest = Static<typeof ManageGroupRequest>;

export const ListGroupsRequest = Type.Object({
  organizationId: Type.Optional(Id("Groups of this organisation")),
  limit: Type.Optional(PageLimit),
  cursor: Type.Optional(CursorSchema),
});
export type ListGroupsRequest = Static<typeof ListGroupsRequest>;

export const GroupList = Type.Object({ results: Type.Array(ListedGroup), cursor: NextCursorSchema });
export type GroupList = Static<typeof GroupList>;

export const Organization = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    groups: Type.Integer({ minimum: 0, description: "Number of its groups" }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { description: "Groups under one administration" },
);
export type Organization = Static<typeof Organization>;

export const ListOrganizationsRequest = Type.Object({
  limit: Type.Optional(PageLimit),
  cursor: Type.Optional(CursorSchema),
});
export type ListOrganizationsRequest = Static<typeof ListOrganizationsRequest>;

export const OrganizationList = Type.Object({ results: Type.Array(Organization), cursor: NextCursorSchema });
export type OrganizationList = Static<typeof OrganizationList>;

export const groupContract = {
  createGroup: defineOperation({
    path: "/group/create",
    unknownMembers: "refuse",
    permissions: ["admin.groups.manage"],
    summary: "Create a group of an organisation",
    description: "A caller grants only permissions that it holds; an administrator grants all.",
    request: CreateGroupRequest,
    response: Group,
    errors: ["NON-EXISTENT-ORGANIZATION", "CONFLICT"],
  }),
  manageGroup: defineOperation({
    path: "/group/manage",
    unknownMembers: "refuse",
    permissions: ["admin.groups.manage"],
    summary: "Change a group: name, permissions, tier, licence",
    description: "Takes effect at the next request of each member.",
    request: ManageGroupRequest,
    response: Group,
    errors: ["NON-EXISTENT-GROUP", "CONFLICT"],
  }),
  deleteGroup: defineOperation({
    path: "/group/delete",
    unknownMembers: "refuse",
    permissions: ["admin.groups.manage"],
    summary: "Delete a group without users and credit",
    description:
      "409 while it has members, pays for a user, has credit left or holds credit for an order. Its credit log stays.",
    request: Type.Object({ groupId: Id("Group to delete") }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-GROUP", "CONFLICT"],
  }),
  groupInfo: defineOperation({
    path: "/group/info",
    summary: "Get a group with its permissions",
    description: "Any group in the list of the caller.",
    request: Type.Object({ groupId: Id("Group") }),
    response: Group,
    errors: ["NON-EXISTENT-GROUP"],
  }),
  listGroups: defineOperation({
    path: "/group/list",
    summary: "List groups by name",
    description:
      "admin.groups.list or admin.groups.manage: all groups. organization: groups of the organisation of " +
      "the caller. Otherwise: groups that the caller manages.",
    request: ListGroupsRequest,
    response: GroupList,
    errors: ["INVALID-CURSOR"],
  }),
  createOrganization: defineOperation({
    path: "/organization/create",
    unknownMembers: "refuse",
    permissions: ["admin.organizations.manage"],
    summary: "Create an organisation without groups",
    request: Type.Object({ name: Name("Not the name of another organisation") }),
    response: Organization,
    errors: ["CONFLICT"],
  }),
  deleteOrganization: defineOperation({
    path: "/organization/delete",
    unknownMembers: "refuse",
    permissions: ["admin.organizations.manage"],
    summary: "Delete an organisation without groups",
    description: "409 while it has groups.",
    request: Type.Object({ organizationId: Id("Organisation to delete") }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-ORGANIZATION", "CONFLICT"],
  }),
  listOrganizations: defineOperation({
    path: "/organization/list",
    permissions: ["admin.organizations.list"],
    summary: "List organisations by name",
    request: ListOrganizationsRequest,
    response: OrganizationList,
    errors: ["INVALID-CURSOR"],
  }),
} as const satisfies FeatureContract;
