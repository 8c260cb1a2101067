import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Trx } from "../../../platform/context.ts";
import { maySee, mayShare, type Viewer } from "../visibility.ts";
import * as store from "./owned-store.ts";

/**
 * An uploaded scene, locked for a change by its owner or an administrator. Deleted scenes are among them.
 *
 * @throws {ServiceError} NON-EXISTING-SCENE, also where the viewer does not see the scene; NOT-AUTHORIZED outside the
 * owning group; CONFLICT for scenes of catalogues
 */
export async function lockOwned(trx: Trx, viewer: Viewer, sceneId: string): Promise<store.LockedRow> {
  const row = await store.lockScene(trx, sceneId);
  // A deleted scene exists for its owner only.
  const isShown =
    row !== null && maySee(viewer, row.audience) && (row.deleted_at === null || mayShare(viewer, row.owner));
  if (!isShown) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
  if (!mayShare(viewer, row.owner)) {
    throw new ServiceError("NOT-AUTHORIZED", "The group that ingested the scene and administrators change it");
  }
  if (!row.uploaded) throw new ServiceError("CONFLICT", "Only uploaded scenes can be changed");
  return row;
}
