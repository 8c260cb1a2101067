import assert from "node:assert/strict";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { boxArea, testScene } from "../credits/testing.ts";
import { catalogueGrid, storedGrid, type BandGrid, type ImageGrid } from "./image-grid.ts";
import { imageScene, planImage } from "./plan-image.ts";

const UTM = createProjection("+proj=utm +zone=32 +datum=WGS84 +x_0=500000 +y_0=0");

function band(sizeM: number, sidePx: number): BandGrid {
  return {
    originX: 500_000,
    originY: 5_500_000,
    pixelSizeX: sizeM,
    pixelSizeY: -sizeM,
    size: { widthPx: sidePx, heightPx: sidePx },
    resolutionX: sizeM,
    resolutionY: sizeM,
    bytesPerPixel: 2,
  };
}

const grid: ImageGrid = {
  toCrs: UTM.forward,
  toLonLat: UTM.inverse,
  bands: [band(10, 3000), band(20, 1500), band(60, 500)],
};

/** A rectangle of the plane, metres from the top-left corner, its edges straight there. */
function area(west: number, north: number, east: number, south: number): MultiPolygon {
  const corners = [
    [west, north],
    [west, south],
    [east, south],
    [east, north],
  ] as const;
  const ring = corners.flatMap(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % 4] ?? [x, y];
    return Array.from({ length: 64 }, (_, step) =>
      UTM.inverse(500_000 + x + ((nextX - x) * step) / 64, 5_500_000 - y - ((nextY - y) * step) / 64),
    );
  });
  return { type: "MultiPolygon", coordinates: [[[...ring, ring[0]!]]] };
}

function refused(act: () => unknown, code: string, message: RegExp): void {
  assert.throws(act, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

test("each band has the pixels that the rectangle touches", () => {
  const { bands } = planImage(grid, area(1_005, 2_000, 1_995, 2_600), null);
  assert.deepEqual(
    bands.map(({ window }) => window),
    [
      { x: 100, y: 200, widthPx: 100, heightPx: 60 },
      { x: 50, y: 100, widthPx: 50, heightPx: 30 },
      { x: 16, y: 33, widthPx: 18, heightPx: 11 },
    ],
  );
});

test("coordinates of seven decimals do not add a row of pixels, and a tiny area is one pixel", () => {
  assert.deepEqual(planImage(grid, area(999.99, 1_999.99, 2_000.01, 2_500.01), null).bands[0]?.window, {
    x: 100,
    y: 200,
    widthPx: 100,
    heightPx: 50,
  });
  assert.deepEqual(planImage(grid, area(1_004, 2_004, 1_004.01, 2_004.01), null).bands[0]?.window, {
    x: 100,
    y: 200,
    widthPx: 1,
    heightPx: 1,
  });
});

test("pixels end where the band ends, and an area beyond it is none", () => {
  const { bands } = planImage(grid, area(29_900, -300, 31_000, 200), null);
  assert.deepEqual(bands[0]?.window, { x: 2_990, y: 0, widthPx: 10, heightPx: 20 });
  refused(() => planImage(grid, area(31_000, 0, 32_000, 500), null), "EXTENT-HAS-NO-INTERSECTION", /pixels/);
});

test("the extent is the rectangle of the finest band, counter-clockwise", () => {
  const { extent } = planImage(grid, area(1_005, 2_000, 1_995, 2_600), null);
  assert.equal(extent.type, "Polygon");
  const corners = extent.coordinates[0] as readonly (readonly [number, number])[];
  const expected = [
    [501_000, 5_498_000],
    [501_000, 5_497_400],
    [502_000, 5_497_400],
    [502_000, 5_498_000],
    [501_000, 5_498_000],
  ];
  for (const [i, [lon, lat]] of corners.entries()) {
    const [x, y] = UTM.forward(lon, lat);
    assert.ok(Math.hypot(x - expected[i]![0]!, y - expected[i]![1]!) < 0.02);
  }
});

test("a resolution brings all bands to about one size, and the scene tells so", () => {
  const plan = planImage(grid, area(0, 0, 6_000, 3_000), 50);
  assert.deepEqual(
    plan.bands.map(({ widthPx, heightPx }) => [widthPx, heightPx]),
    [
      [120, 60],
      [120, 60],
      [120, 60],
    ],
  );
  const scene = {
    ...testScene("a").scene,
    bands: grid.bands.map(({ pixelSizeX, resolutionX }, i) => ({
      names: [`b${i}`],
      bitDepth: 16,
      gsd: 10,
      pixelSizeX,
      pixelSizeY: -pixelSizeX,
      crsOriginX: 500_000,
      crsOriginY: 5_500_000,
      approximateResolutionX: resolutionX,
      approximateResolutionY: resolutionX,
    })),
  } satisfies Scene;
  const [first, , third] = imageScene(scene, grid, plan).bands;
  assert.deepEqual([first?.pixelSizeX, first?.pixelSizeY, first?.approximateResolutionX], [50, -50, 50]);
  assert.deepEqual([third?.pixelSizeX, third?.crsOriginX, third?.gsd], [50, 500_000, 10]);
});

test("more than three megapixels of the largest band are refused with the numbers, before and after rescaling", () => {
  assert.equal(planImage(grid, area(0, 0, 20_000, 15_000), null).bands[0]?.window.widthPx, 2_000);
  refused(
    () => planImage(grid, area(0, 0, 20_010, 15_000), null),
    "IMAGE-TOO-LARGE",
    /2001 x 1500 = 3[.]00 megapixels, expected at most 3/,
  );
  // A coarse resolution does not excuse a large original.
  refused(() => planImage(grid, area(0, 0, 30_000, 30_000), 100), "IMAGE-TOO-LARGE", /3000 x 3000 = 9[.]00/);
  assert.equal(planImage(grid, area(0, 0, 6_000, 6_000), 5).bands[0]?.widthPx, 1_200);
  refused(
    () => planImage(grid, area(0, 0, 6_000, 6_000), 2),
    "IMAGE-TOO-LARGE",
    /rescaled to 2 m has 3000 x 3000 = 9[.]00/,
  );
});

test("many bands of many bytes are refused as a whole", () => {
  const many: ImageGrid = {
    ...grid,
    bands: Array.from({ length: 60 }, () => ({ ...band(10, 1_700), bytesPerPixel: 8 })),
  };
  refused(() => planImage(many, null, null), "IMAGE-TOO-LARGE", /60 bands/);
});

test("without an area the image is everything there is", () => {
  const small: ImageGrid = { ...grid, bands: [band(10, 600), band(20, 300)] };
  assert.deepEqual(
    planImage(small, null, null).bands.map(({ window }) => window),
    [
      { x: 0, y: 0, widthPx: 600, heightPx: 600 },
      { x: 0, y: 0, widthPx: 300, heightPx: 300 },
    ],
  );
});

test("an image across the antimeridian is one rectangle of pixels and an extent of two parts", async () => {
  const stored = testScene("wrap", { bounds: [179.9, 10, 180.1, 10.2] });
  const footprint: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      ...boxArea([179.95, 10.05, 180, 10.1]).coordinates,
      ...boxArea([-180, 10.05, -179.95, 10.1]).coordinates,
    ],
  };
  for (const found of [storedGrid(stored.scene, stored.raster), await catalogueGrid(stored.scene)]) {
    assert.ok(found !== null);
    const { bands, extent } = planImage(found, footprint, null);
    assert.deepEqual(bands[0]?.window, { x: 250, y: 500, widthPx: 500, heightPx: 250 });
    assert.equal(extent.type, "MultiPolygon");
    assert.equal(extent.coordinates.length, 2);
  }
});

test("the grid of a catalogue that does not tell enough is not known", async () => {
  const { scene } = testScene("a");
  assert.equal(await catalogueGrid({ ...scene, crsEpsg: 0 }), null);
  assert.equal(await catalogueGrid({ ...scene, bands: [] }), null);
});
