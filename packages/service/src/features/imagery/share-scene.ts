import type { Visibility } from "@swath/contract/kit/schemas/visibility";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import type { Trx } from "../../platform/context.ts";
import * as store from "./rights-store.ts";
import { audienceFor, groupKey, maySee, mayShare, visibilityOf, type SceneRights, type Viewer } from "./visibility.ts";

export interface SceneShare {
  readonly sceneId: string;
  readonly visibility: Visibility;
  /** The group that owns the scene from now on; for administrators. */
  readonly groupId?: string | undefined;
}

/** The rights of a scene before and after a change. */
export interface SharedScene {
  readonly before: SceneRights;
  readonly after: SceneRights;
}

const GROUP_PREFIX = groupKey("");

/**
 * Changes the audience of an uploaded scene, and of the scenes that are cut from it.
 *
 * @throws {ServiceError} NON-EXISTING-SCENE, also where the viewer does not see the scene
 * @throws {ServiceError} NOT-AUTHORIZED outside the owning group
 * @throws {ServiceError} CONFLICT for scenes without an owner, and for owners without an organisation
 * @throws {ServiceError} NON-EXISTENT-GROUP
 */
export async function shareScene(
  trx: Trx,
  viewer: Viewer,
  { sceneId, visibility, groupId }: SceneShare,
): Promise<SharedScene> {
  const before = await store.lockSceneRights(trx, sceneId);
  if (before === null || !maySee(viewer, before.audience)) {
    throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
  }
  if (!mayShare(viewer, before.owner) || (groupId !== undefined && !mayGive(viewer))) {
    throw new ServiceError(
      "NOT-AUTHORIZED",
      "The group that ingested the scene and administrators change its audience",
    );
  }
  if (!before.uploaded) throw new ServiceError("CONFLICT", "Only uploaded scenes have an audience");
  const owner = groupId === undefined ? before.owner : groupKey(groupId);
  if (owner === null) {
    throw new ServiceError("CONFLICT", "The scene has no owner and is public; name its group in groupId");
  }
  const after = { owner, audience: await audienceOf(trx, owner, visibility) };
  await store.updateSceneRights(trx, sceneId, after);
  return { before: { owner: before.owner, audience: before.audience }, after };
}

/** Members as the record of changes shows them. */
export function shownRights({ owner, audience }: SceneRights): {
  readonly owner: string | null;
  readonly visibility: Visibility;
} {
  return { owner, visibility: visibilityOf(audience) };
}

function mayGive(viewer: Viewer): boolean {
  return viewer === "service" || isAdministrator(viewer.permissions);
}

async function audienceOf(trx: Trx, owner: string, visibility: Visibility): Promise<string | null> {
  const groupId = owner.startsWith(GROUP_PREFIX) ? owner.slice(GROUP_PREFIX.length) : null;
  const organizationId = groupId === null ? null : await store.readOrganization(trx, groupId);
  if (organizationId === undefined) throw new ServiceError("NON-EXISTENT-GROUP", `There is no group "${groupId}"`);
  try {
    return audienceFor(visibility, owner, organizationId);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ServiceError("CONFLICT", cause.message, { cause });
  }
}
