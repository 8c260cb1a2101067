import type { Console } from "../console.ts";
import { boxOfGeometry } from "../find/area-rings.ts";
import { readMonitor } from "./monitor.ts";
import { areaAround, watchedAreas } from "./watched-areas.ts";

/** A measured scene of a monitor. */
export interface OpenedScene {
  readonly monitorId: string;
  readonly sceneId: string;
  /** Acquisition, UTC; read from the service unless known. */
  readonly datetime: string | null;
}

type Parts = Pick<Console, "area" | "calls" | "layers" | "map" | "search" | "setArea" | "tasks" | "update">;

/**
 * Shows the maps of a measured scene, its area and its date. The monitor has paid for the area: the maps are made
 * without a charge.
 */
export async function openScene(app: Parts, { monitorId, sceneId, datetime }: OpenedScene): Promise<void> {
  const { calls, layers, map, search, setArea, tasks, update } = app;
  const monitor = await readMonitor(calls, monitorId);
  const areas = watchedAreas(monitor.areas);
  const around = areaAround(areas);
  if (around === null) return;
  const time = datetime ?? (await calls.call("/imagery/scene-info", { sceneId })).datetime;
  const day = time.slice(0, 10);
  map.fit(boxOfGeometry(around));
  update({ selectedSceneId: sceneId, time: { start: day, end: day }, datasets: monitor.datasets, cloud: null });
  await setArea(around);
  const found = search.run(around);
  const release = calls.run(
    "/mapsvc/release",
    { mapTypes: monitor.mapTypes, sceneIds: [sceneId], extent: monitor.areas },
    { allowPartial: true },
  );
  tasks.look();
  const { maps } = await release;
  tasks.look();
  await found;
  await layers.add(maps);
  const [first] = layers.tiles.value;
  if (first !== undefined && maps.length > 0) map.fitTiles(first.tiles);
}
