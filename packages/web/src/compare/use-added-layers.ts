import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";

/** The deepest zoom that is asked for; deeper tiles are drawn larger. */
const MAX_ZOOM = 18;

/** Adds maps that the link names in its path alone; true when this is done. A map that is not available is left out. */
export function useAddedLayers(mapIds: readonly string[]): boolean {
  const { layers, attempt, map, isViewGiven } = useConsole();
  const [isDone, setDone] = useState(false);
  const missing = mapIds.filter((mapId) => !layers.list.peek().some((layer) => layer.mapId === mapId));
  useEffect(() => {
    setDone(false);
    attempt(async () => {
      await layers.add(missing.map((mapId) => ({ mapId, maxZoom: MAX_ZOOM })));
      const [first] = layers.tiles.value;
      if (!isViewGiven && missing.length > 0 && first !== undefined) map.fitTiles(first.tiles);
      setDone(true);
    });
  }, [mapIds.join()]);
  return isDone;
}
