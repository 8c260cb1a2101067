import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SeenScenes } from "./scene-lookup.ts";

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
  const scenes = new Map<string, Scene>();
  for (const sceneId of new Set(sceneIds)) {
    const scene = await imagery.catalogueScene(sceneId, signal);
    if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
    scenes.set(sceneId, scene);
  }
  return scenes;
}
