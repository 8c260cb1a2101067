import type { Db } from "../../platform/context.ts";
import { isVisible } from "./is-visible.ts";
import * as store from "./store.ts";
import type { Viewer } from "./visibility.ts";

/** Scenes of one statement. */
const BATCH = 500;

/** The scenes that do not exist for the viewer, in the given order; no source is asked. */
export async function unknownScenes(
  db: Db,
  sceneIds: readonly string[],
  viewer: Viewer,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (let start = 0; start < sceneIds.length; start += BATCH) {
    signal.throwIfAborted();
    const batch = sceneIds.slice(start, start + BATCH);
    const rows = await store.readSceneRights(db, batch);
    const known = new Set<string>();
    for (const row of rows) {
      signal.throwIfAborted();
      if (await isVisible(db, viewer, row.scene_id, row)) known.add(row.scene_id);
    }
    unknown.push(...batch.filter((sceneId) => !known.has(sceneId)));
  }
  return unknown;
}
