import { LRUCache } from "lru-cache";
import type { SceneModel } from "../scene-model.ts";
import { cloudCoverOf } from "../world/render.ts";

/** Every product of a capture and every page of a search asks for the same. */
const covers = new LRUCache<string, number>({ max: 50_000 });

/** Ratio of a scene under clouds, 0 to 1; null for those that see through them. Kept, for counting takes a while. */
export function cloudCover(model: SceneModel): number | null {
  if (model.datasetType !== "optical" && model.datasetType !== "probabilities") return null;
  // Products of one capture share moment and ground.
  const ring = model.footprint.coordinates[0]?.[0] ?? [];
  const key = `${model.acquiredAtMs} ${ring[0]?.join(" ")} ${ring[2]?.join(" ")}`;
  let cover = covers.get(key);
  if (cover === undefined) {
    cover = cloudCoverOf(model);
    covers.set(key, cover);
  }
  return cover;
}
