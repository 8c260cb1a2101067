import assert from "node:assert/strict";
import { test } from "node:test";
import type { Position } from "@swath/kernel/geometry/geojson";
import type { PlacedObject } from "../analysis/placed-object.ts";
import { outlinesOf } from "./objects-file.ts";

/** A rectangle of 0.002 by 0.001 degrees, counter-clockwise. */
function ship(westDeg: number): PlacedObject {
  const [east, south, north] = [westDeg + 0.002, 52, 52.001];
  return {
    centre: [westDeg + 0.001, 52.0005],
    ring: [
      [westDeg, south],
      [east, south],
      [east, north],
      [westDeg, north],
      [westDeg, south],
    ],
    properties: { class: "ships", area: 1 },
  };
}

function doubleArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[x0, y0], [x1, y1]] = [ring[i - 1], ring[i]];
    sum += x0 * y1 - x1 * y0;
  }
  return sum;
}

test("an object has one outline, as it is, unless it lies across the antimeridian", () => {
  for (const west of [-180, -179.999, 12.3456789, 179.998]) {
    const { ring } = ship(west);
    assert.deepEqual(outlinesOf(ship(west)), [[ring.map(([lon, lat]) => [Number(lon.toFixed(7)), lat])]], String(west));
  }
});

test("one across the antimeridian has an outline on each side, both counter-clockwise, that make up all of it", () => {
  for (const west of [179.9985, 179.9999, -180.0015]) {
    const outlines = outlinesOf(ship(west)).map(([ring]) => ring);
    assert.equal(outlines.length, 2, String(west));
    assert.ok(outlines.flat().every(([lon]) => Math.abs(lon) <= 180 && Math.abs(lon) > 179.99));
    const areas = outlines.map(doubleArea);
    assert.ok(
      areas.every((area) => area > 0),
      areas.join(),
    );
    assert.ok(Math.abs(areas[0] + areas[1] - 2 * 0.002 * 0.001) < 1e-9, areas.join());
  }
});
