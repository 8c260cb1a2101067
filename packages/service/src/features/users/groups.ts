import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { randomUUID } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, RequestContext, Trx } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/postgres/errors.ts";
import { keepingAnAdministrator, type UserDeps } from "./accounts.ts";
import { askedBy, changes, type Requester } from "./audited.ts";
import type {
  CreateGroupRequest,
  Group,
  GroupList,
  ListedGroup,
  ListGroupsRequest,
  ListOrganizationsRequest,
  ManageGroupRequest,
  Organization,
  OrganizationList,
} from "@swath/contract/features/users/group-contract";
import * as store from "./group-store.ts";
import { invalidMember } from "./invalid-member.ts";
import { idAfter, pageById } from "./list-cursor.ts";
import { listReach, reaches, type Reach } from "./reach.ts";
import { notGrantable, requireMayChange } from "./rights.ts";
import { listMemberships } from "./store.ts";

const DEFAULT_LIMIT = 100;
const DEFAULT_TIER = "standard";

export interface NewGroup {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Null or absent: the group stands alone. */
  readonly organizationId?: string | null;
  readonly licenseStartsAt?: Date | null;
  /** Null: never. */
  readonly licenseExpiresAt?: Date | null;
  readonly creditsTier?: string;
}

/** @returns the group's id @throws {ServiceError} CONFLICT when the name is taken */
export async function addGroup(deps: UserDeps, trx: Trx, group: NewGroup, by: Requester): Promise<string> {
  const now = deps.clock.now();
  const id = randomUUID();
  const tier = group.creditsTier ?? DEFAULT_TIER;
  await naming(group.name, "group", () =>
    store.insertGroup(trx, {
      id,
      name: group.name,
      organization_id: group.organizationId ?? null,
      permissions: [...group.permissions],
      license_starts_at: group.licenseStartsAt ?? null,
      license_expires_at: group.licenseExpiresAt ?? null,
      created_at: now,
      updated_at: now,
    }),
  );
  if (tier !== DEFAULT_TIER) await store.setTier(trx, id, tier);
  await deps.audit.record(trx, {
    ...askedBy(by),
    action: "group.create",
    target: { kind: "group", id },
    after: {
      name: group.name,
      organizationId: group.organizationId ?? null,
      permissions: group.permissions,
      creditsTier: tier,
      licenseStart: group.licenseStartsAt?.toISOString() ?? null,
      licenseEnd: group.licenseExpiresAt?.toISOString() ?? null,
    },
  });
  return id;
}

/** @returns the organisation's id @throws {ServiceError} CONFLICT when the name is taken */
export async function addOrganization(deps: UserDeps, trx: Trx, name: string, by: Requester): Promise<string> {
  const now = deps.clock.now();
  const id = randomUUID();
  await naming(name, "organisation", () =>
    store.insertOrganization(trx, { id, name, created_at: now, updated_at: now }),
  );
  const target = { kind: "organization", id };
  await deps.audit.record(trx, { ...askedBy(by), action: "organization.create", target, after: { name } });
  return id;
}

export function createGroup(deps: UserDeps, by: RequestContext, request: CreateGroupRequest): Promise<Group> {
  const license = readLicense(request, "");
  return deps.db.transaction().execute(async (trx) => {
    if ((await store.findOrganization(trx, { id: request.organizationId })) === null) {
      const message = `There is no organisation "${request.organizationId}"`;
      throw new ServiceError("NON-EXISTENT-ORGANIZATION", message);
    }
    const permissions = request.permissions ?? [];
    requireHeld(by, permissions);
    requireOrder(license.start ?? null, license.end ?? null, "/licenseEnd");
    const group = {
      name: request.name,
      permissions,
      organizationId: request.organizationId,
      licenseStartsAt: license.start ?? null,
      licenseExpiresAt: license.end ?? null,
      ...(request.creditsTier === undefined ? {} : { creditsTier: request.creditsTier }),
    };
    return existing(trx, await addGroup(deps, trx, group, by));
  });
}

export function manageGroup(deps: UserDeps, by: RequestContext, request: ManageGroupRequest): Promise<Group> {
  const { groupId, set } = request;
  const license = readLicense(set, "/set");
  return deps.db.transaction().execute((trx) =>
    keepingAnAdministrator(trx, async () => {
      const row = await store.findGroup(trx, { id: groupId });
      if (row === null) throw new ServiceError("NON-EXISTENT-GROUP", `There is no group "${groupId}"`);
      requireMayChange(by.caller, { is_administrator: isAdministrator(new Set(row.permissions)) });
      const permissions = set.permissions ?? row.permissions;
      requireHeld(
        by,
        permissions.filter((permission) => !row.permissions.includes(permission)),
      );
      const start = license.start === undefined ? row.license_starts_at : license.start;
      const end = license.end === undefined ? row.license_expires_at : license.end;
      requireOrder(start, end, "/set/licenseEnd");
      const name = set.name ?? row.name;
      const tier = set.creditsTier ?? row.tier;
      const before = groupAnswer(row);
      const difference = changes(settings(before), {
        name,
        permissions,
        creditsTier: tier,
        licenseStart: start?.toISOString() ?? null,
        licenseEnd: end?.toISOString() ?? null,
      });
      if (difference === null) return before;
      await naming(name, "group", () =>
        store.updateGroup(trx, groupId, {
          name,
          permissions: [...permissions],
          license_starts_at: start,
          license_expires_at: end,
          updated_at: deps.clock.now(),
        }),
      );
      if (tier !== row.tier) await store.setTier(trx, groupId, tier);
      const target = { kind: "group", id: groupId };
      await deps.audit.record(trx, { ...askedBy(by), action: "group.manage", target, ...difference });
      return existing(trx, groupId);
    }),
  );
}

/** @throws {ServiceError} NON-EXISTENT-GROUP alike for groups out of reach and for those that do not exist */
export async function groupInfo(deps: UserDeps, by: RequestContext, groupId: string): Promise<Group> {
  return groupWithin(deps, await groupReach(deps, by), groupId);
}

/** @throws {ServiceError} NON-EXISTENT-GROUP alike for groups out of reach and for those that do not exist */
export async function groupInCare(deps: UserDeps, caller: Caller, groupId: string, permission: string): Promise<Group> {
  const reach = listReach(caller.permissions, await listMemberships(deps.db, caller.userId), [permission]);
  return groupWithin(deps, reach, groupId);
}

/** @throws {ServiceError} NON-EXISTENT-GROUP */
export async function groupName(deps: UserDeps, groupId: string): Promise<string> {
  const { name } = await groupWithin(deps, { kind: "everything" }, groupId);
  return name;
}

async function groupWithin({ db }: UserDeps, reach: Reach, groupId: string): Promise<Group> {
  const row = await store.findGroup(db, { id: groupId });
  if (row === null || !reaches(reach, row)) {
    throw new ServiceError("NON-EXISTENT-GROUP", `There is no group "${groupId}"`);
  }
  return groupAnswer(row);
}

async function groupReach(deps: UserDeps, { caller }: RequestContext): Promise<Reach> {
  const memberships = await listMemberships(deps.db, caller.userId);
  return listReach(caller.permissions, memberships, ["admin.groups.list", "admin.groups.manage"]);
}

export async function listGroups(deps: UserDeps, by: RequestContext, request: ListGroupsRequest): Promise<GroupList> {
  const after = idAfter(request.cursor);
  const reach = await groupReach(deps, by);
  const limit = request.limit ?? DEFAULT_LIMIT;
  const organizationId = request.organizationId ?? null;
  const rows = await store.listGroups(deps.db, { reach, organizationId, after, limit: limit + 1 });
  return pageById(rows, limit, listedGroup);
}

export function createOrganization(deps: UserDeps, by: RequestContext, name: string): Promise<Organization> {
  return deps.db.transaction().execute(async (trx) => {
    const row = await store.findOrganization(trx, { id: await addOrganization(deps, trx, name, by) });
    if (row === null) throw new Error(`organisation ${name} is gone in the transaction that made it`);
    return organizationAnswer(row);
  });
}

export async function listOrganizations(deps: UserDeps, request: ListOrganizationsRequest): Promise<OrganizationList> {
  const after = idAfter(request.cursor);
  const limit = request.limit ?? DEFAULT_LIMIT;
  return pageById(await store.listOrganizations(deps.db, { after, limit: limit + 1 }), limit, organizationAnswer);
}

async function existing(trx: Trx, id: string): Promise<Group> {
  const row = await store.findGroup(trx, { id });
  if (row === null) throw new Error(`group ${id} is gone in the transaction that wrote it`);
  return groupAnswer(row);
}

function groupAnswer(row: store.GroupRow): Group {
  return { ...listedGroup(row), permissions: [...row.permissions] };
}

function listedGroup(row: store.ListedGroupRow): ListedGroup {
  return {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    creditsTier: row.tier,
    licenseStart: row.license_starts_at?.toISOString() ?? null,
    licenseEnd: row.license_expires_at?.toISOString() ?? null,
    members: row.members,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function settings({ name, permissions, creditsTier, licenseStart, licenseEnd }: Group) {
  return { name, permissions, creditsTier, licenseStart, licenseEnd };
}

function organizationAnswer(row: store.OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    groups: row.groups,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function requireHeld({ caller }: RequestContext, permissions: readonly string[]): void {
  const [missing] = notGrantable(caller.permissions, permissions);
  if (missing !== undefined) {
    throw new ServiceError("NOT-AUTHORIZED", `Nobody gives the permission ${missing} without holding it`);
  }
}

function requireOrder(start: Date | null, end: Date | null, path: string): void {
  if (start !== null && end !== null && end <= start) throw invalidMember(path, "must be after the licence's begin");
}

/** The dates that were given; undefined for those that were not. */
function readLicense(
  given: { readonly licenseStart?: string | null; readonly licenseEnd?: string | null },
  path: string,
): { readonly start: Date | null | undefined; readonly end: Date | null | undefined } {
  return {
    start: readInstant(given.licenseStart, `${path}/licenseStart`),
    end: readInstant(given.licenseEnd, `${path}/licenseEnd`),
  };
}

function readInstant(text: string | null | undefined, path: string): Date | null | undefined {
  if (text === null || text === undefined) return text;
  const at = new Date(text);
  const year = at.getUTCFullYear();
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(at.getTime()) || year < 1 || year > 9999) {
    throw invalidMember(path, `is no time, got "${text}", expected such as 2026-03-01T12:00:00Z`);
  }
  return at;
}

async function naming(name: string, what: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const taken = isUniqueViolation(error, "groups_name_key") || isUniqueViolation(error, "organizations_name_key");
    if (taken) throw new ServiceError("CONFLICT", `There is another ${what} named "${name}"`, { cause: error });
    throw error;
  }
}
