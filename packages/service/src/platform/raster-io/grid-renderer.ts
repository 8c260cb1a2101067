import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Rendering } from "@swath/kernel/raster/rendering";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";

/** The part of the Web Mercator plane a file covers. */
export type GridWindow =
  | { readonly kind: "tile"; readonly z: number; readonly x: number; readonly y: number; readonly sizePx: number }
  /** Tileless files: the bounds of the released area, longest side at most `maxSizePx`. */
  | { readonly kind: "bounds"; readonly bounds: Bounds; readonly maxSizePx: number }
  /** The whole scene, longest side at most `maxSizePx`; for thumbnails. */
  | { readonly kind: "scene"; readonly maxSizePx: number };

export interface GridRequest {
  readonly mapType: string;
  /** Version of the map type, written into metadata. */
  readonly version: number;
  /** The descriptor's `rendering`. */
  readonly rendering: Rendering;
  readonly mapId: string;
  readonly scene: Scene;
  readonly raster: StoredRaster;
  readonly window: GridWindow;
  /** Released area, drawn into alpha and masks; null when the caller may download unclipped. */
  readonly clip: MultiPolygon | null;
  readonly fileName: string;
  readonly percentileStretch: boolean;
  readonly userThreshold: number | null;
  /** Whether a file without a valid pixel is still wanted. */
  readonly forceDownload: boolean;
}

export type GridFile =
  | { readonly kind: "file"; readonly mediaType: string; readonly body: Uint8Array }
  /** A PNG, WebP or SKI without a valid pixel in the area: 204. */
  | { readonly kind: "empty" }
  /** The scene has no data there at all: 404. */
  | { readonly kind: "outside" };

/** Renders grid files on a pool of worker threads. */
export interface GridRenderer extends AsyncDisposable {
  render(request: GridRequest, signal: AbortSignal): Promise<GridFile>;
}
