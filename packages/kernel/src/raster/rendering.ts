import type { SpectralIndex } from "../bands/spectral-index.ts";

/** What a grid file holds. */
export type GridProduct =
  | "visual-png"
  | "visual-webp"
  | "visual-jpeg"
  | "heatmap-png"
  | "heatmap-webp"
  | "ski"
  | "analysis-geotiff"
  | "visualization-geotiff"
  | "metadata"
  | "area";

/** How the pixels of a map type come about; plain data, so that it can travel to a worker thread. */
export type Rendering = {
  /** What each file name of the map type holds. */
  readonly products: Readonly<Record<string, GridProduct>>;
  /** Name of the algorithm in metadata.json. */
  readonly algorithm: string;
} & (
  | { readonly kind: "composite" }
  | {
      readonly kind: "index";
      readonly index: SpectralIndex;
      /** Values at the two ends of the colour ramp. */
      readonly range: readonly [low: number, high: number];
    }
);
