import type { Scene } from "./scene.ts";
import type { StoredRaster } from "./stored-raster.ts";

/** A scene whose pixels are in the store. */
export interface StoredScene {
  readonly scene: Scene;
  readonly raster: StoredRaster;
  /** Lower-case hexadecimal SHA-256 of what was ingested; another one after each edit. */
  readonly contentHash: string;
  /** Edits since the ingest; absent for none. */
  readonly revision?: number;
}
