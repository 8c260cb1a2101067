import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { LevelWindow } from "@swath/raster/cog/cog-reader";

/** One band of an image: which of its pixels, and how many pixels are made of them. */
export interface ExportBand {
  /** Index into the bands of the scene. */
  readonly position: number;
  readonly window: LevelWindow;
  /** Size of the window without rescaling. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** An image to be made of a stored scene. */
export interface ExportJob {
  /** As meta.json has it: bands with the pixel sizes and origins of the image. */
  readonly meta: Scene;
  readonly raster: StoredRaster;
  /** One for each band of the scene, in its order. */
  readonly bands: readonly ExportBand[];
  /** Requested area inside the scene; null for the whole scene. Masks mark the pixels inside. */
  readonly area: MultiPolygon | null;
  /** Whether pixels outside the area are left out. */
  readonly onlyArea: boolean;
  readonly version: string;
}

/** The files of an image. */
export interface ExportedImage {
  readonly ski: Uint8Array;
  readonly geotiff: Uint8Array;
  readonly png: Uint8Array;
}
