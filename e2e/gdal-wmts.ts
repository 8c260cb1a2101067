import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Half of the side of the world, metres of EPSG:3857. */
const HALF_M = 20_037_508.342_789_244;

interface WmtsTile {
  readonly mapId: string;
  readonly layer: string;
  readonly limits: { readonly tileMatrix: string; readonly minTileCol: number; readonly minTileRow: number };
}

/** Compares a tile with the same pixels of the WMTS as GDAL reads them. @returns whether there is GDAL */
export async function readByGdal(baseUrl: string, { layer, limits, mapId }: WmtsTile): Promise<boolean> {
  if (spawnSync("gdal_translate", ["--version"]).error !== undefined) return false;
  const folder = await mkdtemp(join(tmpdir(), "swath-wmts-"));
  try {
    const { minTileCol, minTileRow, tileMatrix } = limits;
    const address = `${baseUrl}/mapsvc/map/${mapId}`;
    const picture = Buffer.from(
      await (await fetch(`${address}/tiles/${tileMatrix}/${minTileCol}/${minTileRow}/${layer}.png`)).arrayBuffer(),
    );
    await writeFile(join(folder, "tile.png"), picture);
    // The extent of the dataset is the part of the tile within the bounds: its first pixel has a place in the tile.
    const source = `WMTS:${address}/wmts.xml,layer=${layer},tilematrix=${tileMatrix}`;
    const { geoTransform, size } = JSON.parse((await run("gdalinfo", ["-json", source])).stdout) as {
      readonly geoTransform: readonly number[];
      readonly size: readonly [number, number];
    };
    const sideM = (2 * HALF_M) / 2 ** Number(tileMatrix);
    const column = (geoTransform[0]! + HALF_M - minTileCol * sideM) / geoTransform[1]!;
    const row = (HALF_M - geoTransform[3]! - minTileRow * sideM) / -geoTransform[5]!;
    const window = [Math.round(column), Math.round(row), ...size].map(String);
    const read = (name: string, ...from: string[]) =>
      run("gdal_translate", ["-q", "-of", "ENVI", ...from, join(folder, name)], {
        env: { ...process.env, GDAL_DEFAULT_WMS_CACHE_PATH: folder },
      });
    await read("served", source);
    await read("drawn", "-srcwin", ...window, join(folder, "tile.png"));
    assert.deepEqual(await readFile(join(folder, "served")), await readFile(join(folder, "drawn")));
    return true;
  } finally {
    await rm(folder, { recursive: true });
  }
}
