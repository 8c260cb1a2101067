import type { Bounds } from "@swath/kernel/geometry/geojson";

/** The pixels of a file: a part of the Web Mercator plane, or of the grid of the raster itself. */
/** Pixels of the grid of a band, in the coordinate reference system of the raster. */
export interface NativeWindow {
  readonly kind: "native";
  /** Band of the raster whose grid it is. */
  readonly position: number;
  /** Null for a CRS without a code. */
  readonly crsEpsg: number | null;
  /** Pixels of the band per pixel of the file, along both axes: 1, 2, 4, … */
  readonly reduction: number;
  /** First column and row, in pixels of the file; fractions where the file has fewer pixels than the band. */
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

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
  | NativeWindow
  /** The whole scene, longest side at most `maxSizePx`; for thumbnails. */
  | { readonly kind: "scene"; readonly maxSizePx: number };
