import type { Visibility } from "@swath/contract/kit/schemas/visibility";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import type { Caller } from "../../platform/context.ts";

/** A caller, or the service itself, which sees every scene. */
export type Viewer =
  | Pick<Caller, "userId" | "groupId" | "organizationId" | "accountingGroupId" | "permissions">
  | "service";

/**
 * `group:ID`, `organization:ID`, or `user:ID` for users without a group. Scenes carry the keys of their owner and of
 * their audience.
 */
export type AudienceKey = string;

/** The owner and the audience of a scene. Scenes of catalogues have no owner; the audience null is everybody. */
export interface SceneRights {
  readonly owner: AudienceKey | null;
  readonly audience: AudienceKey | null;
}

export const PUBLIC: SceneRights = { owner: null, audience: null };

export function groupKey(groupId: string): AudienceKey {
  return `group:${groupId}`;
}

/** The owner of scenes that the caller ingests: the group of the caller. */
export function ownerKey({ groupId, userId }: Pick<Caller, "groupId" | "userId">): AudienceKey {
  return groupId === "" ? `user:${userId}` : groupKey(groupId);
}

/** The audiences that the viewer belongs to, besides everybody; null for viewers of every scene. */
export function audiencesOf(viewer: Viewer): readonly AudienceKey[] | null {
  if (viewer === "service" || isAdministrator(viewer.permissions)) return null;
  const keys = viewer.userId === "" ? [] : [ownerKey(viewer)];
  const { organizationId = null } = viewer;
  return organizationId === null ? keys : [...keys, `organization:${organizationId}`];
}

export function maySee(viewer: Viewer, audience: AudienceKey | null): boolean {
  return audience === null || (audiencesOf(viewer)?.includes(audience) ?? true);
}

/** Members of the owning group, and administrators. */
export function mayShare(viewer: Viewer, owner: AudienceKey | null): boolean {
  if (viewer === "service" || isAdministrator(viewer.permissions)) return true;
  return owner !== null && viewer.userId !== "" && ownerKey(viewer) === owner;
}

/**
 * @param organizationId organisation of the owner
 * @throws {RangeError} if an owner without an organisation shares with one
 */
export function audienceFor(
  visibility: Visibility,
  owner: AudienceKey,
  organizationId: string | null,
): AudienceKey | null {
  if (visibility === "public") return null;
  if (visibility === "group") return owner;
  if (organizationId === null) throw new RangeError("the group that owns the scene is of no organization");
  return `organization:${organizationId}`;
}

export function visibilityOf(audience: AudienceKey | null): Visibility {
  if (audience === null) return "public";
  return audience.startsWith("organization:") ? "organization" : "group";
}
