/** The public interface of `@swath/raster`; README.md shows its use. */
export type { ByteSource } from "./byte-source.ts";
export { httpSource, type HttpSourceOptions } from "./http-source.ts";
export { open, type OpenOptions, type Raster } from "./open.ts";
export { RasterError, type RasterErrorReason } from "./raster-error.ts";
export { readWindow, type RasterWindow, type ReadWindowOptions } from "./read-window.ts";
export type { Georeference, PixelArray, SourceBand, SourceCrs, SourceRaster } from "./source-raster.ts";
export { writeCogs } from "./store/write-cog.ts";
export type { WriteCogOptions, WrittenBand, WrittenRaster } from "./store/written-raster.ts";
export type { PixelWindow } from "./tiff/pixel-window.ts";
