import type { PixelArray, SourceRaster } from "../source-raster.ts";

/** Everything about a raster but its pixels; plain data, so that it can be handed to a worker thread. */
export type RasterDescription = Omit<SourceRaster, "readRows" | "readMask" | typeof Symbol.asyncDispose>;

/** Reads pixels where the raster is. Rows in shared memory cross threads without being copied. */
export interface RowReader {
  rows(firstRow: number, rowCount: number): Promise<readonly PixelArray[]>;
  mask(firstRow: number, rowCount: number): Promise<Uint8Array | null>;
}

export function describeRaster(raster: SourceRaster): RasterDescription {
  return {
    widthPx: raster.widthPx,
    heightPx: raster.heightPx,
    bands: raster.bands,
    georeference: raster.georeference,
    crs: raster.crs,
    palette: raster.palette,
    hasMask: raster.hasMask,
    metadata: raster.metadata,
    blockHeightPx: raster.blockHeightPx,
  };
}

/** A raster of another thread, seen from this one. Disposing it is left to that thread. */
export function relayedRaster(description: RasterDescription, reader: RowReader): SourceRaster {
  return {
    ...description,
    async readRows(firstRow, rowCount, signal) {
      signal.throwIfAborted();
      return await reader.rows(firstRow, rowCount);
    },
    async readMask(firstRow, rowCount, signal) {
      signal.throwIfAborted();
      return description.hasMask ? await reader.mask(firstRow, rowCount) : null;
    },
    async [Symbol.asyncDispose]() {},
  };
}
