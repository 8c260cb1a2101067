import { fromFile, Pool } from "geotiff";
import type { RasterReader, ReadWindow } from "./raster-reader.ts";

/** geotiff.js on a pool of workers, one for each core, or in this thread. */
export async function geotiffJs(path: string, pooled: boolean): Promise<RasterReader> {
  const tiff = await fromFile(path);
  const image = await tiff.getImage();
  const pool = pooled ? new Pool() : null;
  return {
    read: async ({ column, row, widthPx, heightPx }: ReadWindow) =>
      image.readRasters({
        window: [column, row, column + widthPx, row + heightPx],
        interleave: false,
        ...(pool === null ? {} : { pool }),
      }),
    close: async () => {
      await pool?.destroy();
      await tiff.close();
    },
  };
}
