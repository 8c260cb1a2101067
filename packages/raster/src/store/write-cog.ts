import { mkdir } from "node:fs/promises";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { RasterError } from "../raster-error.ts";
import type { SourceCrs, SourceRaster } from "../source-raster.ts";
import { BLOCK_PX } from "./block-encoder.ts";
import { writePass } from "./cog-pass.ts";
import { BYTES_PER_PIXEL } from "./pixel-type.ts";
import { ValidityMap } from "./validity-map.ts";
import type { WriteCogOptions, WrittenBand, WrittenRaster } from "./written-raster.ts";

/** Block rows and pyramids of the bands that are written in one pass; further bands take another pass. */
const PASS_BYTES = 192 * 1024 * 1024;
/** Bands whose files are open at the same time. */
const MAX_BANDS_PER_PASS = 48;
/** Together with the pyramid about twice this is held per band. */
const MAX_BLOCK_ROW_BYTES = 128 * 1024 * 1024;

/**
 * Writes one cloud optimized GeoTIFF per band of a north-up raster and gathers statistics and validity. It reads the
 * raster once from top to bottom, more often only when the bands exceed the memory.
 * Memory does not depend on the height of the raster.
 *
 * @throws {RasterError} too-large when a row of blocks does not fit into memory; any error of the source
 */
export async function writeCogs(
  raster: SourceRaster,
  transform: Affine,
  crs: SourceCrs,
  options: WriteCogOptions,
): Promise<WrittenRaster> {
  await mkdir(options.folder, { recursive: true });
  const passes = planPasses(raster);
  const source = { raster, transform, crs, options };
  const validity = new ValidityMap(raster.widthPx, raster.heightPx);
  const bands: WrittenBand[] = [];
  let mask: WrittenRaster["mask"] = null;
  for (const [index, members] of passes.entries()) {
    const pass = await writePass({ ...source, members, withMask: index === 0 && raster.hasMask }, (row) =>
      options.onProgress?.(index * raster.heightPx + row, passes.length * raster.heightPx),
    );
    bands.push(...pass.bands);
    validity.merge(pass.validity);
    mask ??= pass.mask;
  }
  return { bands, mask, validity };
}

function planPasses(raster: SourceRaster): readonly (readonly number[])[] {
  const passes: number[][] = [];
  let used = Infinity;
  raster.bands.forEach((band, index) => {
    const blockRow = raster.widthPx * BLOCK_PX * BYTES_PER_PIXEL[band.dataType];
    if (blockRow > MAX_BLOCK_ROW_BYTES) {
      throw new RasterError(
        "too-large",
        `the image is ${raster.widthPx} pixels of type ${band.dataType} wide, expected at most ${Math.floor(MAX_BLOCK_ROW_BYTES / BLOCK_PX / BYTES_PER_PIXEL[band.dataType])}`,
      );
    }
    const last = passes.at(-1);
    if (last === undefined || used + blockRow * 2 > PASS_BYTES || last.length === MAX_BANDS_PER_PASS) {
      passes.push([index]);
      used = blockRow * 2;
    } else {
      last.push(index);
      used += blockRow * 2;
    }
  });
  return passes;
}
