import type { GridFile, GridRenderer } from "@swath/maps/render/grid-renderer";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import { drawingOf } from "../grid-files/drawing.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";

/** Draws one window of a file of a map. */
export async function drawFile(
  renderer: Pick<GridRenderer, "render">,
  loaded: LoadedMap,
  name: string,
  window: GridWindow,
  signal: AbortSignal,
): Promise<GridFile> {
  signal.throwIfAborted();
  return await renderer.render(await drawingOf(loaded, name, window, {}).request(), signal);
}
