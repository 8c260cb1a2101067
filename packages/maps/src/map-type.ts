import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Maturity } from "./maturity.ts";
import type { ModelManifest } from "./models/model-manifest.ts";
import type { Analysis } from "./planning/analysis.ts";
import type { Refusal } from "./planning/refusals.ts";

/** How classes belong together. */
export interface SegmentationHierarchy {
  readonly baseClasses: readonly string[];
  /** Classes that each parent class unites. */
  readonly parentClasses: Readonly<Record<string, readonly string[]>>;
  readonly masterClass: string;
}

/** Groups that map types are listed in. */
export type MapGroupId =
  | "imagery"
  | "land-cover"
  | "water"
  | "vegetation"
  | "fire"
  | "built-up"
  | "soil"
  | "snow"
  | "radar"
  | "objects"
  | "change"
  | "atmosphere"
  | "night"
  | "other";

export type GridFileSuffix = "png" | "webp" | "ski" | "json" | "geojson" | "geotiff" | "visu-geotiff" | "shz" | "zip";

export interface MapTypeSettings {
  /** Refuse scenes coarser than this, metres; null for no limit. */
  readonly maxGsdM: number | null;
  /** Read this much outside the tile before computing, then crop. */
  readonly marginM: number;
  readonly marginPx: number;
  /** Pixels of the smallest region that is kept; of detectors of outlines, across the smallest object. */
  readonly minSizePx: number;
  /** Working resolution, metres; null for the scene's own. */
  readonly resolutionM: number | null;
  /** Whether the result depends on the whole scene. */
  readonly isGlobal: boolean;
}

export type Acceptance = { readonly accepted: true } | Refusal;

/**
 * Description of a map type for the rest of the service. Shared code reads this descriptor and never branches on an id.
 * Each map type is one folder and one line of `registry.ts`.
 */
export interface MapTypeDescriptor {
  readonly id: string;
  /** A few words without a full stop: titles of pages and charts. */
  readonly longName: string;
  /** Id that its maps are kept under; its own unless given. Spellings of one formula share it. */
  readonly keptAs?: string;
  /** Id whose price holds for it; its own unless given. */
  readonly pricedAs?: string;
  readonly group: MapGroupId;
  readonly description: string;
  /** Grade of the evidence for its accuracy; its meaning is in `MATURITIES`. */
  readonly maturity: Maturity;
  /**
   * Suites of `bench/quality/suites/` that measure its accuracy, by file name. The figures are on its page,
   * `docs/map-types/<id>.md`; the indices of the catalogue share the page `index.md`.
   */
  readonly measuredBy: readonly string[];
  /** Above 372: tiles of 512 pixels. */
  readonly version: number;
  /** `<namespace>.<provider>.<dataset>` is required to release it: `imagery.images` or `algorithms.<id>`. */
  readonly permissionNamespace: string;
  /** File names by suffix, in listing order: `{ png: ["truecolor.png"], json: ["metadata.json", "area.json"] }`. */
  readonly gridFiles: Readonly<Partial<Record<GridFileSuffix, readonly string[]>>>;
  readonly settings: MapTypeSettings;
  /** How its files are drawn; handed to the grid renderer with each request. */
  readonly rendering: Rendering;
  /** Datasets types it can analyse: optical, sar-grd, … */
  readonly datasetTypes: readonly string[];
  readonly segmentationColors: Readonly<Record<string, readonly [number, number, number]>> | null;
  readonly segmentationHierarchy?: SegmentationHierarchy;
  /** Classes that files up to a version may still hold: version to class to colour. */
  readonly deprecatedClasses?: Readonly<Record<string, Readonly<Record<string, readonly [number, number, number]>>>>;
  /** The class of a layer that pixels under a clear sky have; only of types that tell clouds. */
  readonly clearSky?: { readonly layer: number; readonly value: number };
  /** Work on the pixels that a release does before its tiles can be drawn; absent when tiles are drawn from the scene. */
  readonly analysis?: Analysis;
  /** The map type as installed models change it; absent where none does. */
  readonly withModels?: (models: readonly ModelManifest[]) => MapTypeDescriptor;
  /** Whether the scene's bands and resolution allow it; `roles[i]` belongs to `scene.bands[i]`. */
  readonly accepts: (scene: Scene, roles: readonly (BandRole | null)[]) => Acceptance;
}
