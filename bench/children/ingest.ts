/** Writes the store's COGs of the GeoTIFF named first into the folder named second, and prints time and peak memory. */
import { fileSource } from "../../packages/raster/src/tiff/byte-sources.ts";
import { openTiff } from "../../packages/raster/src/tiff/open.ts";
import { writeCogs } from "../../packages/raster/src/store/write-cog.ts";

const [input = "", folder = ""] = process.argv.slice(2);
const startedMs = performance.now();
await using source = await fileSource(input);
await using raster = await openTiff(source);
if (raster.georeference.kind !== "affine" || raster.crs === null) throw new Error("the bench file is north-up");
await writeCogs(raster, raster.georeference.transform, raster.crs, {
  folder,
  name: "scene",
  isClass: raster.bands.map(() => false),
  signal: new AbortController().signal,
});
const seconds = (performance.now() - startedMs) / 1000;
process.stdout.write(JSON.stringify({ seconds, maxRssMb: process.resourceUsage().maxRSS / 1024 }));
