import type { SpectralIndex } from "../bands/spectral-index.ts";
import type { RampName } from "./colormap.ts";

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
  | "area"
  /** Zip of every other file of the window, pictures as PNG only. */
  | "archive";

/** A class of a layer. */
export interface ResultClass {
  readonly name: string;
  /** Pixel value, 1 to 255; 0 is no data. */
  readonly value: number;
  readonly color: readonly [red: number, green: number, blue: number];
}

/** One raster of an analysis result. */
export type ResultLayer =
  | {
      readonly kind: "classes";
      readonly name: string;
      readonly classes: readonly ResultClass[];
      /** Value of pixels that are valid and of no class, such as sea without a ship; null when there is none. */
      readonly backgroundValue: number | null;
    }
  | {
      readonly kind: "values";
      readonly name: string;
      readonly unit: string;
      /** Values at the two ends of the colours. */
      readonly range: readonly [low: number, high: number];
      readonly ramp: RampName;
      /** How values become colours; linear unless given. */
      readonly scale?: "asinh";
      /** Values below are transparent in pictures; null draws all. */
      readonly drawnFrom: number | null;
      /**
       * Member of metadata.json that tells the values summed over the area: each times `perSquareMetre` and the square
       * metres that it stands for.
       */
      readonly total?: { readonly name: string; readonly unit: string; readonly perSquareMetre: number };
    };

/** What a file of an analysis result holds; `layer` is the position of the layer it is drawn from. */
export type ResultProduct =
  | { readonly kind: "class-png"; readonly layer: number; readonly className: string }
  | { readonly kind: "segmentation"; readonly layer: number; readonly encoding: "png" | "webp" }
  | { readonly kind: "values"; readonly layer: number; readonly encoding: "png" | "webp" }
  | { readonly kind: "result-ski" }
  | { readonly kind: "result-geotiff" }
  | { readonly kind: "result-visualization"; readonly layer: number }
  | { readonly kind: "result-metadata" }
  /** Area of each class of a layer, or of the valid pixels of a layer of values. */
  | { readonly kind: "result-area"; readonly layer: number }
  /** GeoJSON of objects, or of attention regions. */
  | { readonly kind: "objects" }
  /** GeoJSON of the outlines of the classes of a layer. */
  | { readonly kind: "class-polygons"; readonly layer: number }
  /** Zipped shapefile of the objects, or of the class polygons of a layer when there are no objects. */
  | { readonly kind: "shapefile" }
  /** Zip of every other file of the window, pictures as PNG only. */
  | { readonly kind: "archive" };

/** How the pixels of a map type come about; plain data, so that it can travel to a worker thread. */
export type Rendering =
  | ({
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
          readonly ramp: RampName;
        }
    ))
  | {
      /** Drawn from the rasters and objects that an analysis has stored. */
      readonly kind: "result";
      readonly algorithm: string;
      readonly layers: readonly ResultLayer[];
      readonly products: Readonly<Record<string, ResultProduct>>;
      /** What users should expect, for metadata.json. */
      readonly quality: { readonly note: string; readonly expected: string };
    };
