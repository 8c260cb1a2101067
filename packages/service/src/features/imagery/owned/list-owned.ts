import { ServiceError } from "@swath/kernel/errors/service-error";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import type { Db } from "../../../platform/context.ts";
import { numberCursor } from "../../../platform/number-cursor.ts";
import { pageOf } from "../../../platform/page-of.ts";
import { groupKey, ownerKey, type Viewer } from "../visibility.ts";
import { ownedScene, RESTORABLE_MS, type OwnedScene } from "./owned-scene.ts";
import * as store from "./owned-store.ts";

export interface OwnedScenesQuery {
  /** Only this scene, deleted or not. */
  readonly sceneId?: string | undefined;
  /** Deleted scenes that can be restored, instead of the others. */
  readonly deleted: boolean;
  /** For administrators; the group of the viewer by default. */
  readonly groupId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface OwnedScenePage {
  readonly results: readonly OwnedScene[];
  readonly cursor: string | null;
}

const pages = numberCursor("owned-scene:1:");

/**
 * Scenes that an owner has ingested, newest ingest first.
 *
 * @throws {ServiceError} NOT-AUTHORIZED for the group of others; INVALID-CURSOR
 */
export async function listOwned(
  db: Db,
  viewer: Exclude<Viewer, "service">,
  query: OwnedScenesQuery,
  now: Date,
): Promise<OwnedScenePage> {
  const owner = query.groupId === undefined ? ownerKey(viewer) : groupKey(query.groupId);
  if (owner !== ownerKey(viewer) && !isAdministrator(viewer.permissions)) {
    throw new ServiceError("NOT-AUTHORIZED", "Scenes of another group are listed to administrators only");
  }
  const restorableSince = new Date(now.getTime() - RESTORABLE_MS);
  if (query.sceneId !== undefined) {
    const row = await store.findOwned(db, query.sceneId, { owner, restorableSince });
    return { results: row === null ? [] : [ownedScene(row)], cursor: null };
  }
  const rows = await store.listOwned(db, {
    owner,
    isDeleted: query.deleted,
    restorableSince,
    before: query.cursor === undefined ? null : pages.decode(query.cursor),
    limit: query.limit + 1,
  });
  return pageOf(rows, query.limit, ownedScene, ({ scene_key }) => pages.encode(scene_key));
}
