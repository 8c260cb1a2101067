import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readByGdal } from "../gdal-wmts.ts";
import type { CoastMap } from "./coast-map.ts";
import { finished } from "./finished.ts";
import type { StacTarget } from "./stac-suites.ts";
import { attempted, type StandardRun } from "./standard-run.ts";

const RED = 3;
/** Column, row, width and height of pixels in the middle of the scene. */
const WINDOW = ["37", "41", "101", "83"];
/** The service lists no folders. `EMPTY_DIR` would hide the header of the written file, too. */
const NO_SIDE_FILES = { GDAL_DISABLE_READDIR_ON_OPEN: "TRUE" };

/** Reads the red band of an item and the picture of a map with GDAL; the pixels equal the pixels of file and tile. */
export async function readRastersWithGdal(
  target: StacTarget,
  coast: CoastMap,
  folder: string,
): Promise<readonly StandardRun[]> {
  const version = await finished("gdalinfo", ["--version"]);
  const client = /GDAL [\d.]+/u.exec(version.log)?.[0] ?? "GDAL";
  const described = {
    vsicurl: { client, ran: "/vsicurl: a window of a COG, compared with the ingested file" },
    stacit: { client, ran: "STACIT: the items of a search as one raster, compared with the ingested file" },
    wmts: { client, ran: "WMTS: a tile, compared with the tile of the service" },
  };
  if (version.code !== 0) {
    const outcome = "not installed";
    return Object.values(described).map((one) => ({ ...one, outcome, result: "needs gdal-bin" }));
  }
  return [
    await attempted(described.vsicurl, () => windowOf(target, coast, folder)),
    await attempted(described.stacit, () => searchAsRaster(target, coast, folder)),
    await attempted(described.wmts, () => tileOf(target, coast)),
  ];
}

export interface RedAsset {
  readonly name: string;
  readonly href: string;
}

function isRed(band: object): boolean {
  return Reflect.get(band, "eo:common_name") === "red";
}

/** The asset of the red band of the scene. @throws {Error} when the item has none */
export async function redAsset({ rootUrl, token }: StacTarget, { collection, sceneId }: CoastMap): Promise<RedAsset> {
  const answer = await fetch(`${rootUrl}/collections/${collection}/items/${encodeURIComponent(sceneId)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { assets = {} } = (await answer.json()) as {
    readonly assets?: Readonly<Record<string, { readonly href: string; readonly bands?: readonly object[] }>>;
  };
  const found = Object.entries(assets).find(([, { bands = [] }]) => bands.some(isRed));
  if (found === undefined) throw new Error(`no asset of the red band: ${Object.keys(assets).join(", ")}`);
  return { name: found[0], href: found[1].href };
}

async function windowOf(target: StacTarget, coast: CoastMap, folder: string): Promise<string> {
  const { href } = await redAsset(target, coast);
  return await samePixels(folder, ["-srcwin", ...WINDOW], {
    read: [`/vsicurl/${href}`],
    expected: ["-b", String(RED), coast.source],
    environment: NO_SIDE_FILES,
  });
}

async function searchAsRaster(target: StacTarget, coast: CoastMap, folder: string): Promise<string> {
  const { name } = await redAsset(target, coast);
  const items = `${target.rootUrl}/search?collections=${coast.collection}&ids=${encodeURIComponent(coast.sceneId)}`;
  return await samePixels(folder, [], {
    read: [`STACIT:"${items}":asset=${name}`],
    expected: ["-b", String(RED), coast.source],
    environment: { ...NO_SIDE_FILES, GDAL_HTTP_HEADERS: `Authorization: Bearer ${target.token}` },
  });
}

interface Comparison {
  readonly read: readonly string[];
  readonly expected: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

async function samePixels(
  folder: string,
  options: readonly string[],
  { environment, expected, read }: Comparison,
): Promise<string> {
  const pixelsOf = async (name: string, source: readonly string[]): Promise<Buffer> => {
    const path = join(folder, name);
    const args = ["-q", "-of", "ENVI", ...options, ...source, path];
    const { code, log } = await finished("gdal_translate", args, environment);
    if (code !== 0) throw new Error(log.trim().slice(0, 1000));
    return await readFile(path);
  };
  const served = await pixelsOf("served.envi", read);
  assert.ok(served.equals(await pixelsOf("expected.envi", expected)), "the pixels are not those of the file");
  return `${served.length / 2} equal pixels`;
}

async function tileOf({ rootUrl }: StacTarget, { mapId, tile }: CoastMap): Promise<string> {
  const [tileMatrix, minTileCol, minTileRow] = tile;
  const limits = { tileMatrix: String(tileMatrix), minTileCol, minTileRow };
  await readByGdal(new URL(rootUrl).origin, { mapId, layer: "truecolor", limits });
  return "equal pixels";
}
