import { isGranted } from "@swath/kernel/permissions/permission";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MembershipRow } from "./membership.ts";

/**
 * Whose users and groups somebody may deal with. A user belongs to the first of its groups; membership in further
 * ones lends rights, and makes nobody else responsible for the user.
 */
export type Reach =
  | { readonly kind: "everything" }
  | { readonly kind: "organization"; readonly organizationId: string }
  | { readonly kind: "groups"; readonly groupIds: readonly string[] };

/** Permission of who looks after a whole organisation. */
export const ORGANIZATION = "organization";

/** The organisation of the user's own group, or that group where it stands alone. */
export function organizationReach(memberships: readonly MembershipRow[]): Reach {
  const [home] = memberships;
  if (home === undefined) return { kind: "groups", groupIds: [] };
  return home.organization_id === null
    ? { kind: "groups", groupIds: [home.group_id] }
    : { kind: "organization", organizationId: home.organization_id };
}

/** The user's own group. */
export function homeReach(memberships: readonly MembershipRow[]): Reach {
  return { kind: "groups", groupIds: memberships.slice(0, 1).map(({ group_id: groupId }) => groupId) };
}

/**
 * What a list shows: everything to holders of one of `all`, an organisation to who looks after it, groups to their
 * managers.
 *
 * @throws {ServiceError} NOT-AUTHORIZED for everybody else
 */
export function listReach(
  held: ReadonlySet<string>,
  memberships: readonly MembershipRow[],
  all: readonly string[],
): Reach {
  if (all.some((permission) => isGranted(held, permission))) return { kind: "everything" };
  if (isGranted(held, ORGANIZATION)) return organizationReach(memberships);
  const managed = managedGroups(memberships);
  if (managed.length > 0) return { kind: "groups", groupIds: managed };
  throw new ServiceError(
    "NOT-AUTHORIZED",
    `This needs the permission ${[...all, ORGANIZATION].join(" or ")}, or to be a group's manager`,
  );
}

/** Groups whose settings the caller may change, or that it looks after; none for everybody else. */
export function managedReach(held: ReadonlySet<string>, memberships: readonly MembershipRow[]): Reach {
  if (isGranted(held, "admin.groups.manage")) return { kind: "everything" };
  if (isGranted(held, ORGANIZATION)) return organizationReach(memberships);
  return { kind: "groups", groupIds: managedGroups(memberships) };
}

/**
 * Groups whose matters the caller looks after: all of them with the first permission, with the second the organisation
 * of its group, and the groups that it manages.
 */
export function reachesInCare(
  held: ReadonlySet<string>,
  memberships: readonly MembershipRow[],
  { everything, organization }: { readonly everything: string; readonly organization: string },
): readonly Reach[] {
  if (isGranted(held, everything)) return [{ kind: "everything" }];
  const managed: Reach = { kind: "groups", groupIds: managedGroups(memberships) };
  return isGranted(held, organization) ? [organizationReach(memberships), managed] : [managed];
}

function managedGroups(memberships: readonly MembershipRow[]): readonly string[] {
  return memberships.filter((membership) => membership.is_manager).map(({ group_id: groupId }) => groupId);
}

/** Whether a group is within reach; null for the group of a user who has none. */
export function reaches(
  reach: Reach,
  group: { readonly id: string; readonly organization_id: string | null } | null,
): boolean {
  if (reach.kind === "everything") return true;
  if (group === null) return false;
  if (reach.kind === "organization") return group.organization_id === reach.organizationId;
  return reach.groupIds.includes(group.id);
}
