import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { createProjection } from "@swath/kernel/crs/projection";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { PlacedImage } from "@swath/raster/tiff/open";
import { windowOfExtent } from "./scene-window.ts";

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return { type: "MultiPolygon", coordinates: normalForm([boundsPolygon([west, south, east, north]).coordinates]) };
}

const utm33 = {
  epsg: 32_633,
  proj4: "+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs",
  name: "",
  datumShiftKnown: true,
};
const wgs84 = { epsg: 4326, proj4: "+proj=longlat +datum=WGS84 +no_defs", name: "", datumShiftKnown: true };
const granule: PlacedImage = {
  widthPx: 10_980,
  heightPx: 10_980,
  georeference: { kind: "affine", transform: [10, 0, 399_960, 0, -10, 5_600_040] },
  crs: utm33,
};
const footprint = box(13.6, 49.5, 15.1, 50.5);

function assertHolds(
  image: PlacedImage,
  extent: MultiPolygon,
  corners: readonly (readonly [number, number])[],
  most: number,
): void {
  const window = windowOfExtent(image, extent, footprint);
  assert.ok(window !== null);
  for (const [column, row] of corners) {
    assert.ok(column >= window.column && column <= window.column + window.widthPx, `column ${column}`);
    assert.ok(row >= window.row && row <= window.row + window.heightPx, `row ${row}`);
  }
  assert.ok(window.widthPx <= most && window.heightPx <= most, `${window.widthPx} x ${window.heightPx}`);
}

test("the window holds the extent and little more, in the image's own system", () => {
  const { forward } = createProjection(utm33.proj4);
  const pixel = (lon: number, lat: number): readonly [number, number] => {
    const [x, y] = forward(lon, lat);
    return [(x - 399_960) / 10, (5_600_040 - y) / 10];
  };
  const corners = [pixel(14, 50), pixel(14.02, 50), pixel(14.02, 50.02), pixel(14, 50.02)];
  assertHolds(granule, box(14, 50, 14.02, 50.02), corners, 250);
  // A part of the extent on the other side of the world, where the projection says nothing sensible, does not count.
  const far = { ...box(14, 50, 14.02, 50.02) };
  const both: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [...far.coordinates, ...box(-120, -30, -119, -29).coordinates],
  };
  assertHolds(granule, both, corners, 250);
});

test("control points place the window with their own error as margin", () => {
  const points = [0, 5490, 10_980].flatMap((row) =>
    [0, 5490, 10_980].map((column) => ({
      column,
      row,
      x: 13.6 + column / 7320 + (row === 5490 ? 0.001 : 0),
      y: 50.5 - row / 10_980,
    })),
  );
  const image: PlacedImage = { ...granule, georeference: { kind: "gcps", points }, crs: wgs84 };
  assertHolds(
    image,
    box(14, 50, 14.02, 50.02),
    [
      [2928, 5490],
      [3074.4, 5270.4],
    ],
    400,
  );
});

test("images across the antimeridian get the window on the side where the extent is", () => {
  const image: PlacedImage = {
    widthPx: 1000,
    heightPx: 1000,
    georeference: { kind: "affine", transform: [0.01, 0, 175, 0, -0.01, 5] },
    crs: wgs84,
  };
  const around = box(175, -5, 185, 5);
  const window = windowOfExtent(image, box(-178, 0, -177.5, 0.5), around);
  assert.ok(
    window !== null && window.column > 690 && window.column <= 700 && window.widthPx < 70,
    JSON.stringify(window),
  );
  const across = windowOfExtent(image, box(179.5, 0, 180.5, 0.5), around);
  assert.ok(across !== null && across.column <= 450 && across.column + across.widthPx >= 550);
});

test("without a place, without a system, or without common ground all of the image is needed", () => {
  const extent = box(14, 50, 14.02, 50.02);
  assert.equal(windowOfExtent({ ...granule, georeference: { kind: "none" } }, extent, footprint), null);
  assert.equal(windowOfExtent({ ...granule, crs: null }, extent, footprint), null);
  assert.equal(windowOfExtent(granule, box(40, 0, 41, 1), footprint), null);
});

test("an extent of very many positions has the window of the box around it, in milliseconds", () => {
  const ring = Array.from({ length: 9001 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * (i % 9000)) / 9000;
    const radiusDeg = i % 2 === 0 ? 0.01 : 0.005;
    return [14.01 + radiusDeg * Math.cos(angle), 50.01 + radiusDeg * Math.sin(angle)];
  });
  const star: MultiPolygon = { type: "MultiPolygon", coordinates: [[ring]] };
  const before = process.threadCpuUsage();
  const window = windowOfExtent(granule, star, footprint);
  const { user, system } = process.threadCpuUsage(before);
  const around = windowOfExtent(granule, box(14, 50, 14.02, 50.02), footprint);
  assert.ok(window !== null && around !== null);
  assert.ok(Math.abs(window.column - around.column) < 2 && Math.abs(window.widthPx - around.widthPx) < 4);
  assert.ok(Math.abs(window.row - around.row) < 2 && Math.abs(window.heightPx - around.heightPx) < 4);
  // To project the edges takes half a second.
  assert.ok((user + system) / 1000 < 100, `${(user + system) / 1000} ms`);
});
