import type { Client } from "@swath/client";
import { bufferSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";

/** The first band of a map on the grid of its scene. */
export interface MapPixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Outer corner of the first pixel, and the size of pixels: columns eastwards, rows southwards. */
  readonly originX: number;
  readonly originY: number;
  readonly pixelX: number;
  readonly pixelY: number;
  /** Row by row; NaN without data. */
  readonly values: Float64Array;
}

/** Downloads the values of a map at the pixels of its scene. */
export async function downloadPixels(client: Client, mapId: string, signal: AbortSignal): Promise<MapPixels> {
  const answer = await client.file("/mapsvc/grid/:map_id/:geometry_id/:file_name", {
    params: { map_id: mapId, geometry_id: "-", file_name: "analysis.geotiff" },
    query: { grid: "native" },
    signal,
  });
  return await readPixels(new Uint8Array(await answer.arrayBuffer()), signal);
}

async function readPixels(file: Uint8Array, signal: AbortSignal): Promise<MapPixels> {
  await using raster = await openTiff(bufferSource(file));
  const { widthPx, heightPx, georeference } = raster;
  if (georeference.kind !== "affine") throw new Error("the file of a map has no affine georeference");
  const [pixelX, , originX, , pixelY, originY] = georeference.transform;
  const [band] = await raster.readRows(0, heightPx, signal);
  const nodata = raster.bands[0]?.nodata ?? null;
  const values = Float64Array.from(band ?? [], (value) => (value === nodata ? Number.NaN : value));
  return { widthPx, heightPx, originX, originY, pixelX, pixelY, values };
}
