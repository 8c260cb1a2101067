import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SeenScenes } from "./scene-lookup.ts";

/** Scenes looked up at once: rows of one statement; a source gets this many requests at most. */
const SCENES_AT_ONCE = 64;

/**
 * Scenes by their ids, in the order of the ids. The service knows all of them afterwards.
 *
 * @throws {ServiceError} NON-EXISTING-SCENE for the first that neither the service nor a catalogue knows
 */
export async function catalogueScenes(
  imagery: Pick<SeenScenes, "catalogueScene">,
  sceneIds: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Scene>> {
  const ids = [...new Set(sceneIds)];
  const scenes = new Map<string, Scene>();
  for (let at = 0; at < ids.length; at += SCENES_AT_ONCE) {
    const together = ids.slice(at, at + SCENES_AT_ONCE);
    const found = await Promise.all(together.map((sceneId) => imagery.catalogueScene(sceneId, signal)));
    for (const [index, sceneId] of together.entries()) {
      const scene = found[index] ?? null;
      if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
      scenes.set(sceneId, scene);
    }
  }
  return scenes;
}
