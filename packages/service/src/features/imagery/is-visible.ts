import type { Db } from "../../platform/context.ts";
import { holdsArea } from "./rights-store.ts";
import type { SceneRow } from "./store.ts";
import { maySee, type Viewer } from "./visibility.ts";

/** Whether a scene exists for the viewer. A deleted scene does for groups that have paid for area of it. */
export async function isVisible(
  db: Db,
  viewer: Viewer,
  sceneId: string,
  { audience, deleted_at: deletedAt }: Pick<SceneRow, "audience" | "deleted_at">,
): Promise<boolean> {
  if (!maySee(viewer, audience)) return false;
  if (deletedAt === null || viewer === "service") return true;
  return await holdsArea(db, viewer.accountingGroupId ?? viewer.groupId, sceneId);
}
