import type { ValueRange } from "@swath/kernel/raster-mathematics/stretch";
import type { ClearSky } from "./clear-sky.ts";
import type { MosaicSource } from "./mosaic-member.ts";
import type { PlacedObject } from "../analysis/placed-object.ts";
import type { GridWindow, NativeWindow } from "@swath/raster/sample/grid-window";
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
  /** Given: the pixels come from its scenes, on the Web Mercator plane. `scene` is the one whose bands they have. */
  readonly mosaic?: MosaicSource | null;
  readonly window: GridWindow;
  /** Single pixels whose values are wanted, as JSON, in place of a file. */
  readonly pixels?: readonly NativeWindow[];
  /** Whether the digest of all values in the window is wanted, as JSON, in place of a file. */
  readonly digest?: boolean;
  /** Record of the inputs of the map, for metadata.json. */
  readonly provenance?: Readonly<Record<string, unknown>> | null;
  /** Released area, drawn into alpha and masks; null when the caller may download unclipped. */
  readonly clip: MultiPolygon | null;
  readonly fileName: string;
  readonly percentileStretch: boolean;
  /** Limits of the colours of pictures, in place of percentiles; left out or null: the limits of the map type. */
  readonly stretch?: ValueRange | null;
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

/** Statistics of a map in zones, on the grid of its pixels. */
export interface ZonalRequest {
  /** The map; `result` holds the objects to count. Its window and its file have no meaning. */
  readonly map: GridRequest;
  /** Within the released area, in normal form. */
  readonly zones: readonly MultiPolygon[];
  /** Pixels of the map per pixel that is read, along both axes: 1, 2, 4, … */
  readonly reduction: number;
  /** Shares from 0 to 1, in ascending order. */
  readonly quantiles: readonly number[];
  /** Edges of bins in ascending order; null for none. */
  readonly histogramEdges: readonly number[] | null;
  /** Where the sky of the scene is clear; null counts every pixel. */
  readonly clearSky: ClearSky | null;
  /** A zone with more pixels is refused. */
  readonly maxZonePixels: number;
}

/** A file of a map, or `ZoneFigures` of its zones as JSON. */
export type RenderRequest = GridRequest | ZonalRequest;

/** Draws one file. */
export interface DrawsGridFiles {
  render(request: RenderRequest, signal: AbortSignal): Promise<GridFile>;
}

/**
 * Renders grid files on pools of worker threads. A tile and single pixels take some tens of milliseconds. Larger files take
 * tenths of a second, and leave the processors to whoever answers requests.
 */
export interface GridRenderer extends DrawsGridFiles, AsyncDisposable {
  /** Starts a thread of each kind, so that the first file does not wait for its start. */
  prepare(): void;
  /** Draws for pipelines, in other threads of the lowest priority: requests for single files do not wait behind them. */
  readonly background: DrawsGridFiles;
}
