import type { PixelArray, SourceRaster } from "../source-raster.ts";
import { BLOCK_PX } from "./block-encoder.ts";
import { BYTES_PER_PIXEL } from "./pixel-type.ts";

/** Rows read at once. */
const READ_BYTES = 12 * 1024 * 1024;

/** Arrays of one row of blocks, which are filled again and again. */
export interface BlockRowTargets {
  readonly bands: readonly { readonly index: number; readonly rows: PixelArray }[];
  readonly mask: Uint8Array | null;
}

/** Reads the raster top to bottom, the next rows while the present ones are worked on, and regroups them into block rows. */
export async function readBlockRows(
  raster: SourceRaster,
  { bands, mask: maskRows }: BlockRowTargets,
  signal: AbortSignal,
  finishBlockRow: (firstRow: number, rowCount: number) => Promise<void>,
): Promise<void> {
  const { widthPx, heightPx } = raster;
  const rowBytes = raster.bands.reduce((sum, band) => sum + widthPx * BYTES_PER_PIXEL[band.dataType], 0);
  const readRows = rowsPerRead(rowBytes, raster.blockHeightPx, heightPx);
  const read = async (firstRow: number) => {
    const count = Math.min(readRows, heightPx - firstRow);
    const pixels = await raster.readRows(firstRow, count, signal);
    const mask = maskRows === null ? null : await raster.readMask(firstRow, count, signal);
    return { count, bands: pixels, mask };
  };
  let filled = 0;
  let blockStart = 0;
  let pending = read(0);
  // Reported when it is awaited; must not count as unhandled when something else fails first.
  pending.catch(() => {});
  for (let row = 0; row < heightPx;) {
    signal.throwIfAborted();
    const chunk = await pending;
    const nextRow = row + chunk.count;
    if (nextRow < heightPx) {
      pending = read(nextRow);
      pending.catch(() => {});
    }
    for (let done = 0; done < chunk.count;) {
      const take = Math.min(chunk.count - done, BLOCK_PX - filled);
      for (const { index, rows } of bands) {
        const pixels = chunk.bands[index];
        if (pixels !== undefined) rows.set(pixels.subarray(done * widthPx, (done + take) * widthPx), filled * widthPx);
      }
      if (maskRows !== null && chunk.mask !== null) {
        maskRows.set(chunk.mask.subarray(done * widthPx, (done + take) * widthPx), filled * widthPx);
      }
      filled += take;
      done += take;
      if (filled === BLOCK_PX || blockStart + filled === heightPx) {
        await finishBlockRow(blockStart, filled);
        blockStart += filled;
        filled = 0;
      }
    }
    row = nextRow;
  }
}

/** Whole strips or tile rows of the source, as many as fit into the read budget. */
function rowsPerRead(rowBytes: number, blockHeightPx: number, heightPx: number): number {
  const affordable = Math.max(Math.floor(READ_BYTES / rowBytes), 1);
  const block = Math.min(Math.max(blockHeightPx, 1), heightPx);
  if (block >= affordable) return block * rowBytes <= 4 * READ_BYTES ? block : affordable;
  return Math.min(Math.floor(affordable / block) * block, heightPx);
}
