import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { nativeBand, nativeWindow } from "@swath/maps/render/native-grid";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import type { LoadedMap } from "./grid-files/load-map.ts";

/** The raster that a map is drawn from: of its result, or of its scene. */
export function rasterOf({ result, stored }: Pick<LoadedMap, "result" | "stored">): StoredRaster {
  return result === null ? stored.raster : result.row.raster;
}

/** The pixels of the scene in the area of a map, or the reason why there are none. */
export function nativePixels(loaded: LoadedMap): NativeWindow | string {
  const raster = rasterOf(loaded);
  if (loaded.mosaic != null) return "a mosaic has the grids of several scenes";
  if (raster.controlGrid !== null) return "the scene is placed by ground control points and has no grid of a CRS";
  const { scene, raster: own } = loaded.stored;
  const crsEpsg = scene.crsEpsg > 0 && raster.proj4 === own.proj4 ? scene.crsEpsg : null;
  const position = nativeBand(loaded.mapType.rendering, raster, scene);
  return nativeWindow(raster, position, crsEpsg, loaded.clip) ?? "the scene has no pixel in the area of the map";
}
