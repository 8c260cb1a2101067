import type { GridFile } from "@swath/maps/render/grid-renderer";
import { planMosaic, readMosaicBlock, type MosaicBlock, type MosaicOrigin } from "@swath/raster/encode/mosaic-cog";
import type { WorkSpool } from "../../../platform/uploads/work-spool.ts";
import type { DownloadBody } from "../../../platform/downloads/downloads.ts";
import { inOrder } from "./in-order.ts";
import { spoolBytes } from "./spool-bytes.ts";
import { BLOCK_PX, blocksOf, pyramidOf, type PixelGrid } from "./export-plan.ts";

/** A zero follows a part of odd length. */
const PART_ALIGNMENT = 2;

/**
 * Draws the blocks of a grid and its overviews into a spool. Only the header of the file is in memory.
 *
 * @param draw makes a block as a GeoTIFF of one strip per band
 * @returns a cloud optimized GeoTIFF, as long as the spool is open; null when no block has data
 */
export async function drawMosaic(
  spool: WorkSpool,
  full: PixelGrid,
  origin: MosaicOrigin,
  draw: (block: PixelGrid) => Promise<GridFile>,
): Promise<DownloadBody | null> {
  const levels = pyramidOf(full);
  const placed = levels.map((): (MosaicBlock | null)[] => []);
  const blocks = levels.flatMap((grid, level) => blocksOf(grid).map((block, index) => ({ level, block, index })));
  await inOrder(blocks, async ({ level, block, index }) => {
    const file = await draw(block);
    placed[level]![index] = file.kind === "file" ? readMosaicBlock(file.body, await spool.append(file.body)) : null;
  });
  const planned = planMosaic(
    levels.map(({ widthPx, heightPx }, level) => ({ widthPx, heightPx, blocks: placed[level]! })),
    BLOCK_PX,
    origin,
  );
  return planned === null
    ? null
    : { sizeBytes: planned.sizeBytes, stream: () => spoolBytes(spool, planned.header, planned.parts, PART_ALIGNMENT) };
}
