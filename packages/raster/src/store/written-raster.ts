import type { BandStatistics } from "@swath/kernel/scenes/stored-raster";
import type { ValidityMap } from "./validity-map.ts";

export interface WriteCogOptions {
  /** Folder of the files; it is created where it is missing. */
  readonly folder: string;
  /** Start of the file names in it. A file of the same name is an error, not replaced. */
  readonly name: string;
  /** Class and palette bands keep their values in overviews instead of being averaged; one flag per band, false unless given. */
  readonly isClass?: readonly boolean[];
  readonly signal?: AbortSignal;
  /** Rows done and rows to do, over all passes. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly forceBigTiff?: boolean;
}

export interface WrittenBand {
  readonly path: string;
  readonly sizeBytes: number;
  readonly nodata: number | "nan" | null;
  readonly statistics: BandStatistics;
}

export interface WrittenRaster {
  readonly bands: readonly WrittenBand[];
  /** COG of the validity mask, 0 or 255, when the source has one that leaves something out. */
  readonly mask: { readonly path: string; readonly sizeBytes: number } | null;
  readonly validity: ValidityMap;
}
