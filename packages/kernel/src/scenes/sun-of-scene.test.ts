import assert from "node:assert/strict";
import { test } from "node:test";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { sunOfScene } from "./sun-of-scene.ts";

function squareAt(lon: number, lat: number): MultiPolygon {
  const ring = [
    [lon - 0.5, lat - 0.5],
    [lon - 0.5, lat + 0.5],
    [lon + 0.5, lat + 0.5],
    [lon + 0.5, lat - 0.5],
    [lon - 0.5, lat - 0.5],
  ] as const;
  return { type: "MultiPolygon", coordinates: [[ring]] };
}

test("the sun is where the metadata say", () => {
  const scene = { datetime: "2024-06-30 10:15:00", footprint: squareAt(12, 48), sunAzimuth: 150, sunElevation: 60 };
  assert.deepEqual(sunOfScene(scene), { azimuthDeg: 150, elevationDeg: 60, source: "scene" });
});

test("without them it is computed from time and place, within a degree of what a Landsat product says", () => {
  // LC08_L2SP_008059_20191201_20200825_02_T1, its SUN_AZIMUTH and SUN_ELEVATION.
  const sun = sunOfScene({ datetime: "2019-12-01 15:13:51", footprint: squareAt(-75.07, 1.444) });
  assert.ok(sun !== null && sun.source === "time and place");
  assert.ok(Math.abs(sun.azimuthDeg - 136.317) < 1 && Math.abs(sun.elevationDeg - 57.087) < 1, JSON.stringify(sun));
});

test("a day without a time, a time of ingest and a night have no sun", () => {
  const footprint = squareAt(12, 48);
  assert.equal(sunOfScene({ datetime: "2024-06-30 00:00:00", footprint }), null);
  assert.equal(sunOfScene({ datetime: "2024-06-30 10:15:00", datetimeSource: "unknown", footprint }), null);
  assert.equal(sunOfScene({ datetime: "2024-06-30 23:15:00", footprint }), null);
});
