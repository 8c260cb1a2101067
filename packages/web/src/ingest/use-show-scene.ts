import { boxGeometry } from "../find/area-rings.ts";
import { useConsole } from "../use-console.ts";

const UPLOADS = { provider: "local", dataset: "uploads" } as const;

/** Opens the search on an ingested scene: found, selected, and ticked to make maps of. */
export function useShowScene(): (sceneId: string, bounds: readonly number[]) => void {
  const { map, update, setArea, search, ticked, open, attempt } = useConsole();
  return (sceneId, [west = 0, south = 0, east = 0, north = 0]) => {
    const box = { west, south, east: east > 180 ? east - 360 : east, north };
    const area = boxGeometry(box);
    update({ datasets: [UPLOADS], time: null, cloud: null, selectedSceneId: sceneId });
    ticked.value = new Set([sceneId]);
    map.fit(box);
    open("");
    attempt(async () => {
      await setArea(area);
      await search.run(area);
    });
  };
}
