import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { sharedType } from "./composite-file.ts";
import { pixelArray } from "./pixel-values.ts";

/** Bytes of a pixel of a GeoTIFF of a map before compression, all bands together. */
export function geoTiffPixelBytes(rendering: Rendering, { bands }: StoredRaster, fileName: string): number {
  const FLOAT_BYTES = 4;
  if (rendering.kind === "result") {
    if (rendering.products[fileName]?.kind === "result-visualization") return 4;
    const onlyClasses = rendering.layers.every(({ kind }) => kind === "classes");
    return rendering.layers.length * (onlyClasses ? 1 : FLOAT_BYTES);
  }
  if (rendering.products[fileName] === "visualization-geotiff") return 4;
  if (rendering.kind === "index") return FLOAT_BYTES;
  return bands.length * pixelArray(sharedType(bands), 1).BYTES_PER_ELEMENT;
}
