import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";

/** A raster of classes of the same scene, and the class of the pixels under a clear sky. */
export interface ClearSky {
  readonly raster: StoredRaster;
  readonly layer: number;
  readonly value: number;
}
