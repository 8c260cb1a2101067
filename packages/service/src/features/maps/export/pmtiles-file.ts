import { createHash } from "node:crypto";
import type { GridFile } from "@swath/maps/render/grid-renderer";
import type { Tile } from "@swath/kernel/tiles/tile";
import { planPmtiles, type KeptTile, type PmtilesDescription } from "@swath/raster/archive/pmtiles";
import type { DownloadBody } from "../../../platform/downloads/downloads.ts";
import type { WorkSpool } from "../../../platform/uploads/work-spool.ts";
import { inOrder } from "./in-order.ts";
import { spoolBytes } from "./spool-bytes.ts";

/**
 * Draws tiles into a spool, equal ones once. Only the directory is in memory.
 *
 * @returns the archive, as long as the spool is open; null when no tile has data
 */
export async function drawPmtiles(
  spool: WorkSpool,
  tiles: readonly Tile[],
  description: PmtilesDescription,
  draw: (tile: Tile) => Promise<GridFile>,
): Promise<DownloadBody | null> {
  const starts = new Map<string, Promise<number>>();
  const drawn = await inOrder(tiles, async (tile): Promise<KeptTile | null> => {
    const file = await draw(tile);
    if (file.kind !== "file") return null;
    const digest = createHash("sha256").update(file.body).digest("base64");
    const start = starts.get(digest) ?? spool.append(file.body);
    starts.set(digest, start);
    return { tile, start: await start, length: file.body.byteLength };
  });
  const kept = drawn.filter((tile) => tile !== null);
  if (kept.length === 0) return null;
  const { sizeBytes, header, parts } = await planPmtiles(kept, description);
  return { sizeBytes, stream: () => spoolBytes(spool, header, parts) };
}
