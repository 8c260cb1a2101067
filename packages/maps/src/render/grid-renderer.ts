import type { PlacedObject } from "../analysis/placed-object.ts";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";

/** Classes that a caller wants in place of a map type's own. */
export interface Classification {
  /** Of layers of values: `low <= value < high`; a value belongs to the first that holds it. */
  readonly ranges: readonly {
    readonly name: string;
    readonly low: number;
    readonly high: number;
    readonly color: readonly [red: number, green: number, blue: number];
  }[];
  /** Of layers of classes: each unites classes of the layer; classes in none of them are left out. */
  readonly unions: readonly {
    readonly name: string;
    readonly members: readonly string[];
    readonly color: readonly [red: number, green: number, blue: number];
  }[];
}

/** Stored result of an analysis besides its rasters. */
export interface ResultContent {
  /** Objects whose centre lies in the window and the released area. */
  readonly objects: readonly PlacedObject[];
  /** Members of metadata.json that hold for the whole result: inputs, parameters, what was learnt. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface GridRequest {
  readonly mapType: string;
  /** Version of the map type, written into metadata. */
  readonly version: number;
  /** The descriptor's `rendering`. */
  readonly rendering: Rendering;
  readonly mapId: string;
  readonly scene: Scene;
  /** Of the scene; of the layers of the result when the rendering draws one. */
  readonly raster: StoredRaster;
  /** Given for renderings of kind `result`. */
  readonly result?: ResultContent;
  readonly window: GridWindow;
  /** Released area, drawn into alpha and masks; null when the caller may download unclipped. */
  readonly clip: MultiPolygon | null;
  readonly fileName: string;
  readonly percentileStretch: boolean;
  readonly userThreshold: number | null;
  /** Left out or null: the map type's own classes. */
  readonly classification?: Classification | null;
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
