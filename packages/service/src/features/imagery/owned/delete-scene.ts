import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Trx } from "../../../platform/context.ts";
import type { Viewer } from "../visibility.ts";
import { lockOwned } from "./lock-owned.ts";
import { ownedScene, RESTORABLE_MS, type OwnedScene } from "./owned-scene.ts";
import * as store from "./owned-store.ts";

/**
 * Hides an uploaded scene: no search finds it, and to callers without paid area it does not exist. A scene that is
 * deleted already keeps its time.
 *
 * @throws {ServiceError} as `lockOwned`
 */
export async function deleteScene(trx: Trx, viewer: Viewer, sceneId: string, now: Date): Promise<OwnedScene> {
  const row = await lockOwned(trx, viewer, sceneId);
  if (row.deleted_at !== null) return ownedScene(row);
  await store.writeDeletion(trx, sceneId, { deletedAt: now, purgeAt: new Date(now.getTime() + RESTORABLE_MS) });
  return ownedScene({ ...row, deleted_at: now });
}

/**
 * Takes a deletion back. A scene that is not deleted stays as it is.
 *
 * @throws {ServiceError} as `lockOwned`; CONFLICT after a day
 */
export async function restoreScene(trx: Trx, viewer: Viewer, sceneId: string, now: Date): Promise<OwnedScene> {
  const row = await lockOwned(trx, viewer, sceneId);
  if (row.deleted_at === null) return ownedScene(row);
  if (row.deleted_at.getTime() + RESTORABLE_MS <= now.getTime()) {
    throw new ServiceError("CONFLICT", `Scene ${sceneId} was deleted more than a day ago; ingest the file again`);
  }
  await store.writeDeletion(trx, sceneId, null);
  return ownedScene({ ...row, deleted_at: null });
}
