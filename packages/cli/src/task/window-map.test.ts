import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { landOutlines } from "@swath/maps/geography/land";
import { viewOf, xOf, xWithin, yOf } from "./map-view.ts";
import { windowMapSvg, type DrawnWindow } from "./window-map.ts";

const FRAME = { left: 0, top: 0, right: 1000, bottom: 500 };

function drawn(label: string, more: Partial<DrawnWindow> = {}): DrawnWindow {
  return {
    label,
    satellite: "RADAR 1",
    legend: "2026-06-01 10:00:00, 31.0° left",
    strips: [boundsPolygon([14.3, 50, 14.5, 50.2])],
    track: [
      [10, 48],
      [11, 50],
      [12, 52],
    ],
    middle: [11, 50],
    ...more,
  };
}

/** Numbers of the path of an element with that attribute. */
function pointsOf(svg: string, attribute: string): readonly (readonly [number, number])[] {
  const path = svg.split("\n").find((line) => line.includes(attribute)) ?? "";
  return Array.from(path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g), ([, x, y]): [number, number] => [Number(x), Number(y)]);
}

test("a view shows all places with room around them, and its scale is right in the middle", () => {
  const ring = boundsPolygon([14, 50, 15, 51]).coordinates[0] ?? [];
  const view = viewOf(
    ring,
    [
      [4, 45],
      [20, 55],
    ],
    FRAME,
  );
  for (const [lon, lat] of [...ring, [4, 45], [20, 55]] as const) {
    assert.ok(xOf(lon, view) > 50 && xOf(lon, view) < 950, `${lon}`);
    assert.ok(yOf(lat, view) > 30 && yOf(lat, view) < 470, `${lat}`);
  }
  const perDegreeX = xWithin(13, view) - xWithin(12, view);
  const perDegreeY = yOf(50, view) - yOf(51, view);
  assert.ok(Math.abs(perDegreeX / perDegreeY - Math.cos((50 * Math.PI) / 180)) < 1e-9);
});

test("a small area has half a degree around it, an area at the date line both sides of it", () => {
  const small = viewOf(boundsPolygon([14, 50, 14.01, 50.01]).coordinates[0] ?? [], [], FRAME);
  assert.ok(Math.abs(small.north - small.south - 0.5) < 1e-9);
  const fiji = viewOf(boundsPolygon([179, -18, 179.5, -17.5]).coordinates[0] ?? [], [[-179, -18]], FRAME);
  assert.ok(fiji.west > 170 && fiji.east > 181 && fiji.east < 190, `${fiji.west} to ${fiji.east}`);
  assert.ok(Math.abs(xOf(-179, fiji) - xWithin(181, fiji)) < 1e-9);
});

test("the picture names windows and satellites, and holds area, strips, track and land", () => {
  const svg = windowMapSvg({
    title: "harbour <2> & more",
    area: boundsPolygon([14.35, 50.05, 14.45, 50.15]),
    windows: [drawn("@1"), drawn("@2", { satellite: "RADAR 2", track: [], middle: null })],
    landWithin: landOutlines,
  });
  assert.match(svg, /harbour &lt;2&gt; &amp; more/);
  assert.match(svg, />@1 RADAR 1<.*\n?.*31\.0° left/);
  assert.match(svg, />@2 RADAR 2</);
  assert.equal(svg.split("stroke-dasharray").length - 1, 1);
  assert.equal(svg.split("<circle").length - 1, 1);
  assert.equal(svg.split('fill-opacity="0.18"').length - 1, 2);
  // Bohemia is land on all sides.
  assert.ok(pointsOf(svg, 'fill="#f6f2e6"').length >= 3);
  const track = pointsOf(svg, "stroke-dasharray");
  assert.equal(track.length, 3);
  assert.ok(track[0]![0] < track[2]![0] && track[0]![1] > track[2]![1], "north is up, east is right");
});

test("a track across the date line goes on, one around the Earth is broken", () => {
  const area = boundsPolygon([179.4, 10, 179.6, 10.2]);
  const map = (track: DrawnWindow["track"]) =>
    windowMapSvg({
      title: "",
      area,
      windows: [drawn("@1", { track, middle: null, strips: [area] })],
      landWithin: () => [],
    });
  const over = pointsOf(
    map([
      [179, 9],
      [-179.9, 10],
      [-179, 11],
    ]),
    "stroke-dasharray",
  );
  assert.equal(over.length, 3);
  assert.ok(over[0]![0] < over[1]![0] && over[1]![0] < over[2]![0]);
  const around = map([
    [179, 9],
    [179.5, 10],
    [-0.4, 80],
    [-0.6, 80],
    [179.5, 10],
    [179, 9],
  ]);
  assert.ok(around.split("stroke-dasharray").length - 1 > 1);
});
