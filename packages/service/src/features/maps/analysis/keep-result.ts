import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { windowTransform } from "@swath/maps/engine/block-raster";
import type { AnalysisJob, AnalysisProduct } from "@swath/maps/engine/analysis-job";

/** A result in the blob store. */
export interface KeptResult {
  readonly raster: StoredRaster;
  readonly objectsKey: string;
}

/** Writes the layers and objects of an analysis into blobs whose keys begin with `prefix`. */
export async function keepResult(
  blobs: BlobStore,
  prefix: string,
  job: Omit<AnalysisJob, "folder">,
  product: AnalysisProduct,
  signal: AbortSignal,
): Promise<KeptResult> {
  const bands: StoredBand[] = [];
  for (const [index, { path, nodata, statistics }] of product.bands.entries()) {
    const key = `${prefix}layer${index}.tif`;
    await blobs.putFile(key, path, { signal });
    const isClass = job.layers[index]?.kind === "classes";
    bands.push({
      key,
      role: null,
      quantity: isClass ? "class" : "other",
      dataType: isClass ? "uint8" : "float32",
      widthPx: job.window.columns,
      heightPx: job.window.rows,
      geotransform: windowTransform(job.source.grid, job.window),
      nodata,
      maskKey: null,
      statistics,
      palette: null,
    });
  }
  const objectsKey = `${prefix}objects.json`;
  await blobs.put(objectsKey, new TextEncoder().encode(JSON.stringify(product.objects)), { signal });
  const { proj4, controlGrid } = job.source.grid.raster;
  return { raster: { proj4, controlGrid, bands }, objectsKey };
}
