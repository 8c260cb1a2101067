import type { Bounds } from "@swath/kernel/geometry/geojson";

/** The part of the Web Mercator plane a file covers. */
export type GridWindow =
  | { readonly kind: "tile"; readonly z: number; readonly x: number; readonly y: number; readonly sizePx: number }
  /** Tileless files: the bounds of the released area, longest side at most `maxSizePx`. */
  | { readonly kind: "bounds"; readonly bounds: Bounds; readonly maxSizePx: number }
  /** Any pixels of the plane, from their north-west corner. */
  | {
      readonly kind: "grid";
      readonly originXM: number;
      readonly originYM: number;
      readonly pixelSizeM: number;
      readonly widthPx: number;
      readonly heightPx: number;
    }
  /** The whole scene, longest side at most `maxSizePx`; for thumbnails. */
  | { readonly kind: "scene"; readonly maxSizePx: number };
