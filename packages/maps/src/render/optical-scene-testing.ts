import assert from "node:assert/strict";
import { join } from "node:path";
import { after } from "node:test";
import sharp from "sharp";
import { createProjection } from "@swath/kernel/crs/projection";
import { lonLatToWebMercator, WEB_MERCATOR_HALF_SIDE_M, webMercatorToLonLat } from "@swath/kernel/crs/web-mercator";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { GridRequest } from "./grid-renderer.ts";
import { readWithGdal, runGdal } from "@swath/raster/tiff/gdal-testing";
import { renderInProcess } from "./render-in-process.ts";
import { sceneFixture, type tileAt, type FixtureOptions, type SceneFixture } from "./testing.ts";
import { landscape } from "@swath/raster/testing/landscape";

export const SIZE = 1_000;

/** The fixture's scene: 10 km of UTM zone 32N from (500000, 5500000), that is 9.00 to 9.14 E, 49.56 to 49.65 N. */
export const LON = 9.06;

export const LAT = 49.61;

export function optical(more: Partial<FixtureOptions> = {}): Promise<SceneFixture> {
  const bands = [0, 1, 2, 3].map((seed) => landscape(new Uint16Array(SIZE * SIZE), SIZE, seed, 4_000 + 1_500 * seed));
  for (const band of bands) for (let row = 0; row < 200; row++) band.fill(0, row * SIZE, row * SIZE + 300);
  return sceneFixture({
    widthPx: SIZE,
    heightPx: SIZE,
    bands,
    roles: ["B", "G", "R", "N"],
    quantity: "reflectance",
    reflectanceMult: 1e-4,
    nodata: 0,
    ...more,
  });
}

let shared: Promise<SceneFixture> | null = null;

/** One scene for every test that does not need another: writing it takes longer than drawing from it. */
export function sharedScene(): Promise<SceneFixture> {
  shared ??= optical();
  return shared;
}

after(async () => {
  await (await shared)?.[Symbol.asyncDispose]();
});

export async function rgbaOf(png: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 4);
  return new Uint8Array(data);
}

export async function draw(
  fixture: SceneFixture,
  request: GridRequest,
): Promise<Awaited<ReturnType<ReturnType<typeof renderInProcess>["render"]>>> {
  using renderer = renderInProcess(fixture.local, 32 * 2 ** 20);
  return renderer.render(request);
}

export function boundsOf(
  window: ReturnType<typeof tileAt>,
): readonly [left: number, bottom: number, right: number, top: number] {
  const side = (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** window.z;
  const left = window.x * side - WEB_MERCATOR_HALF_SIDE_M;
  const top = WEB_MERCATOR_HALF_SIDE_M - window.y * side;
  return [left, top - side, left + side, top];
}

export function warpWithGdal(
  fixture: SceneFixture,
  position: number,
  window: ReturnType<typeof tileAt>,
  folder: string,
  more: readonly string[] = [],
): Float32Array {
  const out = join(folder, "warped.tif");
  const band = fixture.stored.raster.bands[position]!;
  const exact = [
    "-q",
    "-overwrite",
    "-t_srs",
    "EPSG:3857",
    "-r",
    "bilinear",
    "-et",
    "0",
    "-ot",
    "Float32",
    "-dstnodata",
  ];
  const window3857 = ["-te", ...boundsOf(window).map(String), "-ts", "512", "512"];
  runGdal("gdalwarp", [...exact, "nan", ...window3857, ...more, join(fixture.folder, band.key), out]);
  return Float32Array.from(readWithGdal(out, folder).bands[0]!);
}

export function triangleClip(): MultiPolygon {
  return {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [9.03, 49.58],
          [9.1, 49.59],
          [9.05, 49.63],
          [9.03, 49.58],
        ],
      ],
    ],
  };
}

/**
 * GDAL guesses the width of its filter from the part of the tile that the scene covers. With the true number of output
 * pixels per source pixel, it filters as documented; 1 is the plain 2 x 2 filter.
 */
export function gdalScale(window: ReturnType<typeof tileAt>, z: number): readonly string[] {
  const projection = createProjection("+proj=utm +zone=32 +datum=WGS84 +units=m +x_0=500000 +y_0=0 +no_defs");
  const [lon, lat] = projection.inverse(505_000, 5_495_000);
  const [x, y] = lonLatToWebMercator(lon, lat);
  const [left, , right] = boundsOf(window);
  const pixelM = (right - left) / 512;
  const [east] = projection.forward(...webMercatorToLonLat(x + 100, y));
  const [, north] = projection.forward(...webMercatorToLonLat(x, y + 100));
  // Levels of the fixture are 10, 20 and 40 m.
  const level = Math.min(40, 10 * 2 ** Math.max(0, 13 - z - 1));
  const scale = (moved: number): string => String(Math.min(1, level / ((moved / 100) * pixelM)));
  return ["-wo", `XSCALE=${scale(east - 505_000)}`, "-wo", `YSCALE=${scale(north - 5_495_000)}`];
}
