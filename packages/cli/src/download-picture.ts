import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ApiError, type Client } from "@swath/client";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Output } from "./output.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { createCanvas, cropTransparent, encodePng, placeTile } from "./stitch.ts";
import { planTiles, type TileIndex } from "./tile-plan.ts";

const TILE_PX = 512;
/** Enough to keep both the network and the service's workers busy. */
const CONCURRENT_DOWNLOADS = 6;

export interface PictureRequest {
  readonly mapId: string;
  readonly tiles: readonly TileIndex[];
  readonly zoom: number;
  /** Tiles outside this box are not asked for; null asks for all. */
  readonly bounds: Bounds | null;
  readonly fileName: string;
  /** Stretch between the 0.5 and 99.5 percentiles of the scene instead of its reflectance. */
  readonly percentileStretch: boolean;
  /** Folder for the single tiles; null to keep none. */
  readonly tileFolder: string | null;
}

export interface DownloadedPicture {
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Tiles with at least one valid pixel. */
  readonly tiles: number;
  readonly bytes: number;
}

/**
 * Downloads every tile of a zoom and joins them to one picture, cut to its opaque part.
 *
 * @throws {CommandError} when no tile has a valid pixel
 */
export async function downloadPicture(
  client: Client,
  request: PictureRequest,
  output: Output,
  signal: AbortSignal,
): Promise<DownloadedPicture> {
  const plan = planTiles(request.tiles, request.zoom, request.bounds);
  const progress = output.progress(request.fileName, plan.tiles.length);
  const canvas = createCanvas(plan.columns * TILE_PX, plan.rows * TILE_PX);
  const queue = [...plan.tiles];
  let done = 0;
  let filled = 0;
  let bytes = 0;

  async function downloadNext(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [z, x, y] = next.tile;
      const body = await downloadTile(client, request, next.tile, signal);
      if (body !== null) {
        filled += 1;
        bytes += body.length;
        await placeTile(canvas, body, next.column * TILE_PX, next.row * TILE_PX);
        if (request.tileFolder !== null) {
          const path = join(request.tileFolder, String(z), String(x), `${y}-${request.fileName}`);
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, body);
        }
      }
      done += 1;
      progress.update(done, `${done} of ${plan.tiles.length} tiles`);
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT_DOWNLOADS }, downloadNext));
  } finally {
    // A failed download ends the others at their next tile.
    queue.length = 0;
    progress.stop();
  }

  const cropped = cropTransparent(canvas);
  if (cropped === null) {
    throw new CommandError(
      `none of the ${plan.tiles.length} tiles of zoom ${plan.zoom} has a valid pixel`,
      EXIT.notFound,
      "the map may be empty there: try another --zoom",
    );
  }
  return { png: await encodePng(cropped), widthPx: cropped.widthPx, heightPx: cropped.heightPx, tiles: filled, bytes };
}

/** The bytes of a tile; null where there is no data (204, 404). */
async function downloadTile(
  client: Client,
  { mapId, fileName, percentileStretch }: PictureRequest,
  [z, x, y]: TileIndex,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const answer = await client.file("/mapsvc/grid/:map_id/:geometry_id/:z/:x/:y/:file_name", {
      params: { map_id: mapId, geometry_id: "-", z, x, y, file_name: fileName },
      ...(percentileStretch ? { query: { percentile_stretch: "true" } } : {}),
      signal,
    });
    return answer.status === 204 ? null : new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    if (error instanceof ApiError && error.code === "TILE-NOT-FOUND") return null;
    throw error;
  }
}
