import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { serviceUrl } from "../connection.ts";
import { defaultPicture } from "../default-picture.ts";
import { downloadPicture } from "../download-picture.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { resolveMap } from "../map-name.ts";
import { readMapToken } from "../map-token.ts";
import { chooseZoom } from "../tile-plan.ts";

export interface TilesOptions {
  readonly out: string;
  readonly zoom?: number;
  readonly file?: string;
  readonly onlyPicture?: boolean;
  readonly percentileStretch?: boolean;
}

/** Without `--zoom`: this many zooms below the listed tiles, which the picture then shows at 16 tiles for each of them. */
const DEFAULT_DEPTH = 2;

/** `swath tiles`: a map ID is a right of its own, so nobody needs to sign in. */
export async function tiles(
  context: CommandContext,
  options: TilesOptions,
  [given = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const mapId = await resolveMap(context, given);
  const token = readMapToken(mapId);
  const client = createClient({ baseUrl: await serviceUrl(context) });
  const fileName = options.file ?? (await defaultPicture(client, mapId, token.mapType));
  if (!/\.(png|webp)$/.test(fileName)) throw new UsageError(`--file is "${fileName}", expected a .png or .webp file`);
  const listedZoom = Math.max(...token.tiles.map(([z]) => z));
  const tileFolder = options.onlyPicture === true ? null : join(options.out, token.mapType);
  const base = {
    mapId,
    tiles: token.tiles,
    bounds: null,
    fileName,
    percentileStretch: options.percentileStretch === true,
    tileFolder,
  };
  const download = async (zoom: number) => ({
    zoom,
    ...(await downloadPicture(client, { ...base, zoom }, output, signal).catch((error: unknown) => {
      throw error instanceof RangeError ? new UsageError(error.message, { cause: error }) : error;
    })),
  });
  /** A map ID does not tell the deepest zoom: where nothing is found, one zoom less is tried. */
  const downloadFrom = async (zoom: number): Promise<Awaited<ReturnType<typeof download>>> => {
    try {
      return await download(zoom);
    } catch (error) {
      const tooDeep = error instanceof CommandError && error.exitCode === EXIT.notFound && zoom > listedZoom;
      if (!tooDeep) throw error;
      return await downloadFrom(zoom - 1);
    }
  };
  const picture =
    options.zoom === undefined
      ? await downloadFrom(chooseZoom(token.tiles, listedZoom + DEFAULT_DEPTH + 1, null))
      : await download(options.zoom);
  await mkdir(options.out, { recursive: true });
  const path = join(options.out, fileName.replace(/\.[^.]+$/, ".png"));
  await writeFile(path, picture.png);
  const { zoom, widthPx, heightPx, tiles: downloaded, bytes } = picture;
  output.result({ picture: path, tileFolder, zoom, tiles: downloaded, bytes, widthPx, heightPx }, [
    `${downloaded} tiles of zoom ${zoom} (${(bytes / 1e6).toFixed(1)} MB) joined to ${path}, ${widthPx} x ${heightPx} pixels`,
  ]);
}
