import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryRaster, type MemoryRasterOptions } from "../store/memory-raster.ts";
import { writeCogs } from "../store/write-cog.ts";

/** COGs in a temporary folder, removed with it. */
export interface WrittenCogs extends AsyncDisposable {
  readonly folder: string;
  /** One for each band. */
  readonly paths: readonly string[];
}

/** Writes the COGs of a raster in memory. */
export async function writtenCogs(options: MemoryRasterOptions): Promise<WrittenCogs> {
  const folder = await mkdtemp(join(tmpdir(), "swath-cogs-"));
  const raster = memoryRaster(options);
  if (raster.georeference.kind !== "affine" || raster.crs === null) throw new Error("the raster needs a CRS");
  const { bands } = await writeCogs(raster, raster.georeference.transform, raster.crs, { folder, name: "band" });
  return {
    folder,
    paths: bands.map(({ path }) => path),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
