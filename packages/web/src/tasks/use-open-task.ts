import { useShowScene } from "../ingest/use-show-scene.ts";
import { useConsole } from "../use-console.ts";
import type { Task } from "./tasks.ts";

/** Opens the result of a task where it belongs; null for a task whose result is not shown on the page. */
export function useOpenTask({ operation, pipelineId }: Task): (() => Promise<void>) | null {
  const { calls, layers, map } = useConsole();
  const showScene = useShowScene();
  if (operation === "/mapsvc/release") {
    return async () => {
      const { maps } = await calls.retrieve("/mapsvc/release", pipelineId);
      await layers.add(maps);
      const [first] = layers.tiles.value;
      if (first !== undefined) map.fitTiles(first.tiles);
    };
  }
  if (operation === "/imagery/ingest-scene") {
    return async () => {
      const { ingestedScenes } = await calls.retrieve("/imagery/ingest-scene", pipelineId);
      const [scene] = ingestedScenes;
      if (scene?.understood !== undefined) showScene(scene.sceneId, scene.understood.bounds);
    };
  }
  return null;
}
