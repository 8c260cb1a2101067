import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import { createProjection } from "@swath/kernel/crs/projection";
import { lonLatToWebMercator, WEB_MERCATOR_HALF_SIDE_M, webMercatorToLonLat } from "@swath/kernel/crs/web-mercator";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sampleData } from "../../../sample-data.ts";
import type { GridRequest } from "../../grid-renderer.ts";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "../../tiff/gdal-testing.ts";
import { renderInProcess } from "../render-in-process.ts";
import {
  bodyOf,
  gridRequest,
  jsonOf,
  landscape,
  sceneFixture,
  tileAt,
  type FixtureOptions,
  type SceneFixture,
} from "../testing.ts";

const SIZE = 1_000;
/** The fixture's scene: 10 km of UTM zone 32N from (500000, 5500000), that is 9.00 to 9.14 E, 49.56 to 49.65 N. */
const LON = 9.06;
const LAT = 49.61;

function optical(more: Partial<FixtureOptions> = {}): Promise<SceneFixture> {
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
function sharedScene(): Promise<SceneFixture> {
  shared ??= optical();
  return shared;
}

after(async () => {
  await (await shared)?.[Symbol.asyncDispose]();
});

async function rgbaOf(png: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 4);
  return new Uint8Array(data);
}

async function draw(
  fixture: SceneFixture,
  request: GridRequest,
): Promise<Awaited<ReturnType<ReturnType<typeof renderInProcess>["render"]>>> {
  using renderer = renderInProcess(fixture.local, 32 * 2 ** 20);
  return renderer.render(request);
}

function boundsOf(
  window: ReturnType<typeof tileAt>,
): readonly [left: number, bottom: number, right: number, top: number] {
  const side = (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** window.z;
  const left = window.x * side - WEB_MERCATOR_HALF_SIDE_M;
  const top = WEB_MERCATOR_HALF_SIDE_M - window.y * side;
  return [left, top - side, left + side, top];
}

function warpWithGdal(
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

/**
 * GDAL guesses the width of its filter from the part of the tile that the scene covers. Told the true number of output
 * pixels per source pixel, it filters as its documentation says; 1 is the plain 2 x 2 filter.
 */
function gdalScale(window: ReturnType<typeof tileAt>, z: number): readonly string[] {
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

void test("tiles are within 2/255 of GDAL's exact bilinear warp at every zoom, and valid where GDAL's are", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const fixture = await sharedScene();
  for (const z of [10, 11, 12, 13, 14, 16]) {
    const window = tileAt(LON, LAT, z);
    const ours = await rgbaOf(
      bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "truecolor.png", window))),
    );
    const scale = gdalScale(window, z);
    let worst = 0;
    let validityDiffers = 0;
    for (const [channel, position] of [2, 1, 0].entries()) {
      const theirs = warpWithGdal(fixture, position, window, folder.path, scale);
      for (const [i, value] of theirs.entries()) {
        const valid = ours[4 * i + 3] === 255;
        if (valid !== !Number.isNaN(value)) validityDiffers++;
        if (!valid || Number.isNaN(value)) continue;
        const shade = 255 * Math.min(Math.max((value * 1e-4) / 0.3, 0), 1) ** (1 / 1.4);
        worst = Math.max(worst, Math.abs(shade - ours[4 * i + channel]!));
      }
    }
    assert.ok(worst <= 2, `zoom ${z}: ${worst}`);
    assert.ok(validityDiffers <= 3 * 600, `zoom ${z}: ${validityDiffers}`);
  }
});

void test("neighbouring tiles meet without a seam, for pictures and for indices", async () => {
  const fixture = await sharedScene();
  using renderer = renderInProcess(fixture.local, 32 * 2 ** 20);
  // Twice as wide a window draws both tiles at once.
  for (const [mapType, file, tolerance] of [
    ["imagery", "truecolor.png", 1],
    // One step of the colour ramp.
    ["ndvi", "ndvi.png", 3],
  ] as const) {
    const left = tileAt(LON, LAT, 13);
    const right = { ...left, x: left.x + 1 };
    const [a, b] = await Promise.all(
      [left, right].map(async (window) =>
        rgbaOf(bodyOf(await renderer.render(gridRequest(fixture.stored, mapType, file, window)))),
      ),
    );
    const parent = { ...left, x: left.x >> 1, y: left.y >> 1, z: 12, sizePx: 1_024 };
    assert.equal(left.x % 2, 0);
    const both = await rgbaOf(bodyOf(await renderer.render(gridRequest(fixture.stored, mapType, file, parent))));
    const top = (left.y % 2) * 512;
    let edge = 0;
    for (let row = 0; row < 512; row++) {
      for (let column = 0; column < 512; column++) {
        for (let channel = 0; channel < 4; channel++) {
          const at = 4 * ((top + row) * 1_024 + column) + channel;
          const tile = 4 * (row * 512 + column) + channel;
          for (const [one, whole] of [
            [a!, at],
            [b!, at + 4 * 512],
          ] as const) {
            // Where the data ends, a hundredth of a pixel decides whether a pixel is drawn.
            if ((one[tile | 3] === 0) !== (both[whole | 3] === 0)) edge++;
            else assert.ok(Math.abs(both[whole]! - one[tile]!) <= tolerance);
          }
        }
      }
    }
    assert.ok(edge < 4 * 40, `${edge / 4} pixels differ in validity`);
  }
});

function triangleClip(): MultiPolygon {
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

void test("alpha is the coverage of the released area and its sum the polygon's area", async () => {
  const full = [landscape(new Uint16Array(SIZE * SIZE), SIZE, 1, 4_000)];
  await using fixture = await optical({ bands: [full[0]!, full[0]!, full[0]!], roles: ["B", "G", "R"], nodata: null });
  const clip = triangleClip();
  const request = gridRequest(
    fixture.stored,
    "imagery",
    "truecolor.png",
    { kind: "scene", maxSizePx: 1_000 },
    { clip },
  );
  const rgba = await rgbaOf(bodyOf(await draw(fixture, request)));
  let partial = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] === 0) assert.deepEqual([rgba[i], rgba[i + 1], rgba[i + 2]], [0, 0, 0]);
    else if (rgba[i + 3] !== 255) partial++;
  }
  assert.ok(partial > 100, "edges are smooth");
  const area = jsonOf(await draw(fixture, { ...request, fileName: "area.json" }));
  const exactM2 = areaKm2(clip) * 1e6;
  assert.ok(Math.abs(Number(area["valid"]) / exactM2 - 1) < 2e-3, `${String(area["valid"])} is not ${exactM2}`);
});

void test("the same request gives the same bytes, from a fresh and from a warm renderer", async () => {
  const fixture = await sharedScene();
  using warm = renderInProcess(fixture.local, 32 * 2 ** 20);
  const clip = triangleClip();
  for (const [mapType, names] of [
    [
      "imagery",
      [
        "truecolor.png",
        "truecolor.webp",
        "imagery.ski",
        "analysis.geotiff",
        "visualization.geotiff",
        "metadata.json",
        "area.json",
      ],
    ],
    [
      "ndvi",
      [
        "ndvi.png",
        "ndvi.webp",
        "heatmap.png",
        "heatmap.webp",
        "ndvi.ski",
        "analysis.geotiff",
        "visualization.geotiff",
        "metadata.json",
        "area.json",
      ],
    ],
  ] as const) {
    for (const name of names) {
      const request = gridRequest(fixture.stored, mapType, name, tileAt(LON, LAT, 12), { clip });
      const first = await warm.render(request);
      assert.deepEqual(await warm.render(request), first, name);
      assert.deepEqual(await draw(fixture, request), first, name);
    }
  }
});

void test("without a valid pixel in the area there is no picture, beyond the scene there is nothing", async () => {
  const fixture = await sharedScene();
  const inside = tileAt(LON, LAT, 13);
  // The scene's north-west corner has no data.
  const hole: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [9.001, 49.64],
          [9.01, 49.64],
          [9.01, 49.648],
          [9.001, 49.648],
          [9.001, 49.64],
        ],
      ],
    ],
  };
  const holeTile = tileAt(9.005, 49.645, 13);
  for (const [mapType, name] of [
    ["imagery", "truecolor.png"],
    ["imagery", "imagery.ski"],
    ["ndvi", "ndvi.webp"],
    ["ndvi", "ndvi.ski"],
  ] as const) {
    const request = gridRequest(fixture.stored, mapType, name, holeTile, { clip: hole });
    assert.deepEqual(await draw(fixture, request), { kind: "empty" }, name);
    assert.equal((await draw(fixture, { ...request, forceDownload: true })).kind, "file");
    assert.deepEqual(await draw(fixture, { ...request, window: tileAt(20, 10, 13) }), { kind: "outside" });
  }
  assert.equal(
    (await draw(fixture, gridRequest(fixture.stored, "ndvi", "metadata.json", holeTile, { clip: hole }))).kind,
    "file",
  );
  await assert.rejects(draw(fixture, gridRequest(fixture.stored, "ndvi", "truecolor.png", inside)), {
    code: "TILE-NOT-FOUND",
  });
});

void test("geotiffs are georeferenced, carry nodata and the values of the picture", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const fixture = await sharedScene();
  const window = tileAt(LON, LAT, 12);
  const path = join(folder.path, "tile.tif");
  for (const [mapType, name, bands, type] of [
    ["imagery", "analysis.geotiff", 4, "UInt16"],
    ["imagery", "visualization.geotiff", 4, "Byte"],
    ["ndvi", "analysis.geotiff", 1, "Float32"],
  ] as const) {
    writeFileSync(path, bodyOf(await draw(fixture, gridRequest(fixture.stored, mapType, name, window))));
    const info = JSON.parse(runGdal("gdalinfo", ["-json", path])) as {
      readonly geoTransform: readonly number[];
      readonly coordinateSystem: { readonly wkt: string };
      readonly bands: readonly { readonly type: string; readonly description?: string }[];
    };
    const [left, , right, top] = boundsOf(window);
    assert.ok(Math.abs(info.geoTransform[0]! - left) < 1e-6 && Math.abs(info.geoTransform[3]! - top) < 1e-6);
    assert.ok(Math.abs(info.geoTransform[1]! - (right - left) / 512) < 1e-9);
    assert.match(info.coordinateSystem.wkt, /"EPSG",3857/);
    assert.equal(info.bands.length, bands);
    assert.ok(info.bands.every((band) => band.type === type));
    if (name === "visualization.geotiff") continue;
    const pixels = readWithGdal(path, folder.path).bands[0]!;
    if (mapType === "imagery") {
      const expected = warpWithGdal(fixture, 0, window, folder.path, gdalScale(window, 12));
      const differences = expected.reduce(
        (n, value, i) =>
          n + (Number.isNaN(value) ? Number(pixels[i] !== 0) : Number(Math.abs(value - Number(pixels[i])) > 1.01)),
        0,
      );
      assert.ok(differences < 600, `${differences} pixels differ`);
    } else assert.ok(pixels.some((value) => Number.isNaN(value)) && pixels.some((value) => Math.abs(value) < 1));
  }
});

void test("without nodata in the scene, analysis.geotiff carries a mask", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  await using fixture = await optical({ nodata: null });
  const path = join(folder.path, "tile.tif");
  writeFileSync(
    path,
    bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "analysis.geotiff", tileAt(9.002, 49.65, 13)))),
  );
  const mask = join(folder.path, "mask.tif");
  runGdal("gdal_translate", ["-q", "-b", "mask", path, mask]);
  const values = new Set(readWithGdal(mask, folder.path).bands[0]);
  assert.deepEqual(
    [...values].toSorted((a, b) => a - b),
    [0, 255],
  );
});

void test("SKI files hold the bands, their masks and where they are", async () => {
  const fixture = await sharedScene();
  const stored: StoredScene = {
    ...fixture.stored,
    scene: {
      ...fixture.stored.scene,
      bands: fixture.stored.raster.bands.map((_, i) => ({
        names: [
          ["Blue", "blue", "b"],
          ["Green", "green", "g"],
          ["Red", "red", "r"],
          ["NIR", "near-ir"],
        ][i]!,
        bitDepth: 16,
        gsd: 10,
        pixelSizeX: 10,
        pixelSizeY: -10,
        crsOriginX: 0,
        crsOriginY: 0,
        approximateResolutionX: 10,
        approximateResolutionY: 10,
      })),
    },
  };
  const window = { ...tileAt(LON, LAT, 13), sizePx: 256 };
  const files = untar(gunzipSync(bodyOf(await draw(fixture, gridRequest(stored, "imagery", "imagery.ski", window)))));
  assert.deepEqual(
    [...files.keys()],
    ["info.json", "00000.skb", "00001.skb", "00002.skb", "00003.skb", "00004.skb", "meta.json"],
  );
  const info = JSON.parse(new TextDecoder().decode(files.get("info.json"))) as unknown;
  assert.deepEqual(info, {
    bands: [
      { names: ["blue", "Blue", "b"] },
      { names: ["green", "Green", "g"] },
      { names: ["red", "Red", "r"] },
      { names: ["near-ir", "NIR"] },
      { names: ["__MASK__blue__", "__MASK__green__", "__MASK__red__", "__MASK__near-ir__"] },
    ],
    version: "400",
  });
  const meta = JSON.parse(new TextDecoder().decode(files.get("meta.json"))) as {
    readonly crsEpsg: number;
    readonly bands: readonly { readonly pixelSizeX: number }[];
  };
  assert.equal(meta.crsEpsg, 3857);
  assert.ok(Math.abs(meta.bands[0]!.pixelSizeX - (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** 13 / 256) < 1e-9);
  const band = decodeSkb(files.get("00002.skb")!);
  assert.deepEqual([band.type, band.columns, band.rows], [16, 256, 256]);
  const mask = decodeSkb(files.get("00004.skb")!);
  assert.equal(mask.type, 8);
  for (const [i, value] of band.pixels.entries()) assert.equal(value === 0, (mask.pixels[i]! & 4) === 0);
});

/** Names and contents, read by the field positions of POSIX ustar. */
function untar(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (from: number, to: number): string =>
    new TextDecoder().decode(bytes.subarray(from, to)).replace(/\0.*$/s, "");
  for (let at = 0; bytes[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, at + 135), 8);
    assert.equal(text(at + 136, at + 147), "00000000000");
    files.set(text(at, at + 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

function decodeSkb(bytes: Uint8Array): {
  readonly type: number;
  readonly columns: number;
  readonly rows: number;
  readonly pixels: number[];
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [type, columns, rows] = [view.getUint16(0, true), view.getUint32(2, true), view.getUint32(6, true)];
  const pixels: number[] = [];
  for (let i = 0; i < columns * rows; i++) {
    const difference = type === 16 ? view.getUint16(10 + 2 * i, true) : view.getUint8(10 + i);
    pixels.push((difference + (pixels[i - columns] ?? 0)) & (2 ** type - 1));
  }
  return { type, columns, rows, pixels };
}

void test("a threshold makes the index picture binary and metadata count both sides", async () => {
  const fixture = await sharedScene();
  const request = gridRequest(fixture.stored, "ndvi", "ndvi.png", tileAt(LON, LAT, 13), { userThreshold: 0.2 });
  const rgba = await rgbaOf(bodyOf(await draw(fixture, request)));
  const colors = new Set(new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4));
  assert.equal(colors.size, 2);
  const metadata = jsonOf(await draw(fixture, { ...request, fileName: "metadata.json" }));
  const classes = metadata["classes"] as Record<string, { readonly pixels: number; readonly ratio: number }>;
  const opaque = rgba.filter((value, i) => i % 4 === 3 && value === 255).length;
  assert.equal(classes["above"]?.pixels, opaque);
  assert.ok(Math.abs((classes["above"]?.ratio ?? 0) + (classes["below"]?.ratio ?? 0) - 1) < 1e-5);
});

function ramp(base: number): Uint16Array {
  return Uint16Array.from({ length: SIZE * SIZE }, (_, i) => base + (i % SIZE) + Math.floor(i / SIZE));
}

void test("index values of a tile stay within those of its pixels", async () => {
  await using fixture = await optical({ bands: [ramp(500), ramp(800), ramp(1_000), ramp(4_000)], nodata: null });
  const window = tileAt(LON, LAT, 14);
  const metadata = jsonOf(await draw(fixture, gridRequest(fixture.stored, "ndvi", "metadata.json", window)));
  const statistics = metadata["statistics"] as { readonly min: number; readonly max: number };
  // NDVI of (4000 + s, 1000 + s) falls from 0.6 as s rises to 2000.
  assert.ok(statistics.max < 0.6 && statistics.min > 3_000 / 9_000);
  assert.equal((metadata["quality"] as { readonly note: string }).note, "reflectance, not corrected for sun elevation");
});

void test("bands of different resolution are brought to the coarsest before the formula", async () => {
  const fine = await optical({ nodata: null, bands: [0, 1, 2, 3].map(() => new Uint16Array(SIZE * SIZE).fill(2_000)) });
  await using cleanFine = fine;
  const coarse = await sceneFixture({
    widthPx: 500,
    heightPx: 500,
    bands: [new Uint16Array(250_000).fill(6_000)],
    roles: ["N"],
    transform: [20, 0, 500_000, 0, -20, 5_500_000],
    quantity: "reflectance",
  });
  await using cleanCoarse = coarse;
  const red = cleanFine.stored.raster.bands[2]!;
  const nir = { ...cleanCoarse.stored.raster.bands[0]!, key: "nir" };
  const scene: StoredScene = {
    ...cleanFine.stored,
    raster: { ...cleanFine.stored.raster, bands: [red, nir] },
    scene: { ...cleanFine.stored.scene, bands: [cleanFine.stored.scene.bands[2]!, cleanFine.stored.scene.bands[3]!] },
  };
  const blobs = {
    ...cleanFine.local,
    localPath: (key: string) =>
      key === "nir"
        ? join(cleanCoarse.folder, cleanCoarse.stored.raster.bands[0]!.key)
        : cleanFine.local.localPath(key),
  };
  using renderer = renderInProcess(blobs, 2 ** 20);
  const metadata = jsonOf(await renderer.render(gridRequest(scene, "ndvi", "metadata.json", tileAt(LON, LAT, 12))));
  const { min, max } = metadata["statistics"] as { readonly min: number; readonly max: number };
  assert.ok(Math.abs(min - 0.5) < 1e-6 && Math.abs(max - 0.5) < 1e-6);
});

void test("radar, palette and gray scenes have pictures of their own", async () => {
  const radar = await sceneFixture({
    widthPx: 300,
    heightPx: 300,
    bands: [new Float32Array(90_000).fill(0.1), new Float32Array(90_000).fill(0.02)],
    roles: ["VV", "VH"],
    quantity: "backscatter-linear",
  });
  await using cleanRadar = radar;
  const window = { kind: "scene", maxSizePx: 128 } as const;
  const middle = async (fixture: SceneFixture): Promise<readonly number[]> => {
    const rgba = await rgbaOf(
      bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "truecolor.png", window))),
    );
    return [...rgba.subarray(rgba.length / 2 - 4 * 64, rgba.length / 2 - 4 * 64 + 4)];
  };
  // -10 dB of -20..0; -16.99 dB of -28..-5; atan(5) = 1.3734 of 1.05..1.57.
  const expected = [127.5, ((28 - 16.9897) / 23) * 255, ((1.373_4 - 1.05) / 0.52) * 255, 255];
  for (const [i, value] of (await middle(cleanRadar)).entries())
    assert.ok(Math.abs(value - expected[i]!) <= 1, `${i}: ${value}`);
  await using palette = await sceneFixture({
    widthPx: 300,
    heightPx: 300,
    bands: [new Uint8Array(90_000).fill(2)],
    roles: [null],
    palette: [
      [0, 0, 0],
      [1, 1, 1],
      [9, 8, 7],
    ],
  });
  assert.deepEqual(await middle(palette), [9, 8, 7, 255]);
  await using gray = await sceneFixture({
    widthPx: 300,
    heightPx: 300,
    bands: [new Uint8Array(90_000).fill(77)],
    roles: [null],
  });
  assert.deepEqual(await middle(gray), [77, 77, 77, 255]);
});

void test("a mask hides pixels", async () => {
  const mask = new Uint8Array(SIZE * SIZE).fill(255);
  mask.fill(0, 0, (SIZE * SIZE) / 2);
  await using fixture = await optical({ nodata: null, mask });
  assert.ok(fixture.stored.raster.bands[0]!.maskKey !== null);
  const area = jsonOf(
    await draw(fixture, gridRequest(fixture.stored, "imagery", "area.json", { kind: "scene", maxSizePx: 1_024 })),
  );
  // Half of 10 km x 10 km, on the ellipsoid a thousandth less than in UTM.
  assert.ok(Math.abs(Number(area["valid"]) / 50e6 - 1) < 5e-3, String(area["valid"]));
});

void test("the sample scene's mean NDVI is the published one", async (t) => {
  const path = sampleData("optical_s2", "433D_629L_3_1_S2L2A.tif");
  if (path === null || !gdalInstalled) {
    t.skip(path === null ? "sample data absent" : "GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const raw = readWithGdal(path, folder.path);
  assert.equal(spawnSync("gdalinfo", [path]).status, 0);
  // Bands 4 and 8 of B01, B02, B03, B04, B05, B06, B07, B08, …
  await using fixture = await sceneFixture({
    widthPx: 224,
    heightPx: 224,
    bands: [raw.bands[3]!, raw.bands[7]!],
    roles: ["R", "N"],
    crs: {
      epsg: 32_718,
      proj4: "+proj=utm +zone=18 +south +datum=WGS84 +units=m +x_0=500000 +y_0=10000000 +no_defs",
      name: "",
      datumShiftKnown: true,
    },
    transform: [10, 0, 717_729.835_205_378_24, 0, -10, 5_700_093.330_553_154],
  });
  const metadata = jsonOf(
    await draw(fixture, gridRequest(fixture.stored, "ndvi", "metadata.json", { kind: "scene", maxSizePx: 512 })),
  );
  const { mean } = metadata["statistics"] as { readonly mean: number };
  assert.ok(Math.abs(mean - 0.3013) < 1e-3, String(mean));
});

void test("tileless windows are not finer than the scene and keep the proportions of the area", async () => {
  const fixture = await sharedScene();
  const window = { kind: "bounds", bounds: [9.02, 49.58, 9.1, 49.6], maxSizePx: 2_048 } as const;
  const png = bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "truecolor.png", window)));
  const { width, height } = await sharp(png).metadata();
  const [left, bottom] = lonLatToWebMercator(9.02, 49.58);
  const [right, top] = lonLatToWebMercator(9.1, 49.6);
  assert.ok(Math.abs(width / height - (right - left) / (top - bottom)) < 0.01);
  // 0.08 degrees are 5.79 km there: 579 pixels of 10 m.
  assert.ok(width >= 570 && width <= 590, String(width));
});
