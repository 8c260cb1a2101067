import { open } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import { workInBackground } from "@swath/base/threads/work-in-background";
import { BLOCK_PX, drawRows } from "./world/render.ts";
import type { SceneFile } from "./write-scene.ts";
import { writeGeoTiff } from "./write-geotiff.ts";

workInBackground();

/** The file as chunks; rows are drawn by blocks, whose pixels all bands share. */
function chunksOf({ model }: SceneFile): readonly Uint8Array[] {
  const [first] = model.bands;
  if (first === undefined) throw new RangeError("a scene needs a band");
  const { widthPx, heightPx, pixelSizeX, originX, originY } = first;
  let drawn: readonly ArrayLike<number>[] = [];
  let drawnFrom = -1;
  return writeGeoTiff(
    {
      widthPx,
      heightPx,
      resolutionM: pixelSizeX,
      epsg: model.crsEpsg,
      originX,
      originY,
      bandNames: model.bands.map(({ names }) => names[0] ?? ""),
      deflate: (strip) => deflateSync(strip, { level: 1 }),
    },
    (row, bands) => {
      const top = Math.floor(row / BLOCK_PX) * BLOCK_PX;
      if (top !== drawnFrom) {
        const rows = Math.min(BLOCK_PX, heightPx - top);
        drawn = bands.map((_, index) => drawRows(model, index, 0, top, widthPx, rows));
        drawnFrom = top;
      }
      for (const [index, band] of bands.entries()) {
        const pixels = drawn[index] ?? [];
        const at = (row - top) * widthPx;
        for (let column = 0; column < widthPx; column += 1) band[column] = pixels[at + column] ?? 0;
      }
    },
  );
}

const port = parentPort;
if (port === null) throw new Error("write-scene-thread.ts runs in a worker thread only");

port.on("message", async (file: SceneFile) => {
  await using handle = await open(file.path, "w");
  await handle.writev([...chunksOf(file)]);
  await handle.sync();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage("written");
});
