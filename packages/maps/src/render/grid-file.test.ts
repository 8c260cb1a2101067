import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { lonLatToWebMercator } from "@swath/kernel/crs/web-mercator";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, jsonOf, sceneFixture, tileAt, type SceneFixture } from "./testing.ts";
import { landscape } from "@swath/raster/testing/landscape";
import { SIZE, LON, LAT, optical, sharedScene, rgbaOf, draw, triangleClip } from "./optical-scene-testing.ts";

test("neighbouring tiles meet without a seam, for pictures and for indices", async () => {
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
            [a, at],
            [b, at + 4 * 512],
          ] as const) {
            // Where the data ends, a hundredth of a pixel decides whether a pixel is drawn.
            if ((one[tile | 3] === 0) !== (both[whole | 3] === 0)) edge++;
            else assert.ok(Math.abs(both[whole] - one[tile]) <= tolerance);
          }
        }
      }
    }
    assert.ok(edge < 4 * 40, `${edge / 4} pixels differ in validity`);
  }
});

test("alpha is the coverage of the released area and its sum the polygon's area", async () => {
  const full = [landscape(new Uint16Array(SIZE * SIZE), SIZE, 1, 4_000)];
  await using fixture = await optical({ bands: [full[0], full[0], full[0]], roles: ["B", "G", "R"], nodata: null });
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

test("the same request gives the same bytes, from a fresh and from a warm renderer", async () => {
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

test("without a valid pixel in the area there is no picture, beyond the scene there is nothing", async () => {
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

test("tileless windows are not finer than the scene and keep the proportions of the area", async () => {
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

test("the whole of an area that is one pixel or a few wide is a file, and one smaller than a pixel is one pixel", async () => {
  const fixture = await sharedScene();
  // Degrees per metre there, about.
  const [east, north] = [1 / 72_300, 1 / 111_200];
  for (const [widthM, heightM, columns, rows] of [
    [1, 1, 1, 1],
    [9, 9, 1, 1],
    [9, 900, 1, 90],
    [35, 2000, 4, 200],
    [2000, 35, 200, 4],
  ] as const) {
    const bounds = [9.05, 49.59, 9.05 + widthM * east, 49.59 + heightM * north] as const;
    const [left, bottom, right, top] = bounds;
    const ring = [
      [left, bottom],
      [right, bottom],
      [right, top],
      [left, top],
      [left, bottom],
    ] as const;
    const clip: MultiPolygon = { type: "MultiPolygon", coordinates: [[ring]] };
    const window = { kind: "bounds", bounds, maxSizePx: 2_048 } as const;
    const size = `${widthM} m by ${heightM} m`;
    const png = await draw(fixture, gridRequest(fixture.stored, "imagery", "truecolor.png", window, { clip }));
    assert.equal(png.kind, "file", size);
    const { width, height } = await sharp(bodyOf(png)).metadata();
    assert.ok(Math.abs(width - columns) <= 1 && Math.abs(height - rows) <= 3, `${size}: ${width} x ${height}`);
    const area = jsonOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "area.json", window, { clip })));
    const expected = widthM * heightM;
    // Edges of areas are followed to an eighth of a pixel.
    assert.ok(Math.abs(Number(area["valid"]) / expected - 1) < 0.125, `${size}: ${String(area["valid"])}`);
  }
});

test("a mask hides pixels", async () => {
  const mask = new Uint8Array(SIZE * SIZE).fill(255);
  mask.fill(0, 0, (SIZE * SIZE) / 2);
  await using fixture = await optical({ nodata: null, mask });
  assert.ok(fixture.stored.raster.bands[0].maskKey !== null);
  const area = jsonOf(
    await draw(fixture, gridRequest(fixture.stored, "imagery", "area.json", { kind: "scene", maxSizePx: 1_024 })),
  );
  // Half of 10 km x 10 km, on the ellipsoid a thousandth less than in UTM.
  assert.ok(Math.abs(Number(area["valid"]) / 50e6 - 1) < 5e-3, String(area["valid"]));
});

test("radar, palette and gray scenes have pictures of their own", async () => {
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
    assert.ok(Math.abs(value - expected[i]) <= 1, `${i}: ${value}`);
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
