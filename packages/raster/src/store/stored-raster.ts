import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { SourceRaster } from "../source-raster.ts";
import { blobSource } from "../tiff/byte-sources.ts";
import { openTiff } from "../tiff/open.ts";

/**
 * Bands that are in the store and have one grid, seen as one raster.
 *
 * @throws {BlobNotFoundError} when a blob is gone; {RasterError} unreadable when one is damaged
 */
export async function openStoredRaster(blobs: BlobStore, bands: readonly StoredBand[]): Promise<SourceRaster> {
  const [first] = bands;
  if (first === undefined) throw new RangeError("a raster needs at least one band");
  await using stack = new AsyncDisposableStack();
  const open = async (key: string): Promise<SourceRaster> => stack.use(await openTiff(await blobSource(blobs, key)));
  const rasters: SourceRaster[] = [];
  for (const { key } of bands) {
    rasters.push(await open(key));
  }
  const mask = first.maskKey === null ? null : await open(first.maskKey);
  const opened = stack.move();
  return {
    widthPx: first.widthPx,
    heightPx: first.heightPx,
    bands: rasters.flatMap(({ bands: [band] }, index) => {
      const nodata = bands[index]?.nodata ?? null;
      return band === undefined ? [] : [{ ...band, nodata: nodata === "nan" ? Number.NaN : nodata }];
    }),
    georeference: { kind: "affine", transform: first.geotransform },
    crs: rasters[0]?.crs ?? null,
    palette: first.palette,
    hasMask: mask !== null,
    metadata: {},
    blockHeightPx: rasters[0]?.blockHeightPx ?? 1,
    async readRows(firstRow, rowCount, signal) {
      const rows = await Promise.all(rasters.map(async (raster) => raster.readRows(firstRow, rowCount, signal)));
      return rows.flatMap(([pixels]) => pixels ?? []);
    },
    async readMask(firstRow, rowCount, signal) {
      const rows = await mask?.readRows(firstRow, rowCount, signal);
      const pixels = rows?.[0];
      return pixels instanceof Uint8Array ? pixels : null;
    },
    [Symbol.asyncDispose]: async () => opened.disposeAsync(),
  };
}
