import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProjection } from "@swath/kernel/crs/projection";
import { applyAffine } from "../../../packages/kernel/src/raster-mathematics/affine.ts";
import { gridRequest, tileAt } from "../../../packages/maps/src/render/testing.ts";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { absent, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_2_L2A } from "../samples.ts";

const like = { mapType: "imagery", page: "imagery" } as const;
const EARTH_HALF_M = 20_037_508.342_789_244;
const TILE_PX = 512;
/** Pixels of the two Sentinel-2 scenes are drawn three or four times as large at this zoom. */
const ZOOM = 14;
const EDGE_PX = 8;

/** Values of a tile's analysis.geotiff against `gdalwarp -r bilinear` of the source file. */
async function againstGdal(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of ["433D_629L_3_1_S2L2A", "637U_59R_1_3_S2L2A"]) {
    const of = { ...like, data: name };
    const metric = "largest difference of a pixel from gdalwarp, DN";
    const bar = { kind: "at-most", value: 1 } as const;
    const path = sampleData("optical_s2", `${name}.tif`);
    const isInstalled = spawnSync("gdalwarp", ["--version"]).status === 0;
    if (path === null || !isInstalled) {
      figures.push(absent({ ...of, metric, bar }, path === null ? "sample data absent" : "GDAL is not installed"));
      continue;
    }
    const stored = await bench.ingest(path, SENTINEL_2_L2A);
    const band = stored.raster.bands[0]!;
    const { inverse } = createProjection(stored.raster.proj4);
    const [lon, lat] = inverse(...applyAffine(band.geotransform, band.widthPx / 2, band.heightPx / 2));
    const window = tileAt(lon, lat, ZOOM);
    const answer = await bench.render(gridRequest(stored, "imagery", "analysis.geotiff", window));
    if (answer.kind !== "file") throw new Error(`the tile of ${name} is ${answer.kind}`);
    const folder = mkdtempSync(join(tmpdir(), "swath-warp-"));
    try {
      const [ours, theirs] = [join(folder, "ours.tif"), join(folder, "theirs.tif")];
      writeFileSync(ours, answer.body);
      const side = (2 * EARTH_HALF_M) / 2 ** ZOOM;
      const left = -EARTH_HALF_M + window.x * side;
      const top = EARTH_HALF_M - window.y * side;
      const bounds = [left, top - side, left + side, top].map(String);
      const size = String(TILE_PX);
      const options = [
        "-q",
        "-t_srs",
        "EPSG:3857",
        "-te",
        ...bounds,
        "-ts",
        size,
        size,
        "-r",
        "bilinear",
        "-et",
        "0",
        "-dstnodata",
        "-32768",
      ];
      const warped = spawnSync("gdalwarp", [...options, path, theirs], { encoding: "utf8" });
      if (warped.status !== 0) throw new Error(warped.stderr);
      const [a, b] = [await filePixels(ours), await filePixels(theirs)];
      let worst = 0;
      let compared = 0;
      for (let row = EDGE_PX; row < TILE_PX - EDGE_PX; row += 1) {
        for (let column = EDGE_PX; column < TILE_PX - EDGE_PX; column += 1) {
          const pixel = row * TILE_PX + column;
          if (!isInside(b.bands[0]!, row, column)) continue;
          compared += 1;
          for (const [i, plane] of b.bands.entries())
            worst = Math.max(worst, Math.abs(plane[pixel]! - a.bands[i]![pixel]!));
        }
      }
      figures.push({
        ...of,
        metric,
        value: worst,
        interval: null,
        bar,
        over: `${compared} pixels of 12 bands`,
        digits: 2,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

/** Whether the pixel and those around it have data: at edges both fade in their own way. */
function isInside(plane: ArrayLike<number>, row: number, column: number): boolean {
  for (let j = -EDGE_PX; j <= EDGE_PX; j += EDGE_PX) {
    for (let i = -EDGE_PX; i <= EDGE_PX; i += EDGE_PX) {
      if (plane[(row + j) * TILE_PX + column + i] === -32_768) return false;
    }
  }
  return true;
}

export async function imageryFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return await againstGdal(bench);
}
