import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { AnalysisBlock } from "../../analysis/block.ts";
import { detectAircraft } from "./detect-aircraft.ts";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import { sampleData } from "@swath/base/sample-data";

const PIXEL_M = 3;
/** The part of the scene with most of the aircraft that people have listed. */
const PART = { column: 340, row: 640, columns: 320, rows: 320 } as const;
const NEAR_PX = 8;
const MARGIN_PX = 20;
const MIN_RECALL = 0.8;

interface Truth {
  readonly features: readonly { readonly properties: { readonly pixel: readonly [number, number] } }[];
}

test("most isolated aircraft of a PlanetScope scene of an airport are found, and little else", async (t) => {
  const path = sampleData("aircraft", "planetscope_SFO.tif");
  const listed = sampleData("aircraft", "planetscope_SFO_aircraft_truth.geojson");
  if (path === null || listed === null) return t.skip("sample data absent");
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const { column, row, columns, rows } = PART;
  const read = await raster.readRows(row, rows, AbortSignal.timeout(60_000));
  const planes = [2, 1, 0].map((band) => {
    const whole = read[band];
    return Float32Array.from(
      { length: columns * rows },
      (_, i) => whole[Math.floor(i / columns) * raster.widthPx + column + (i % columns)],
    );
  });
  const ground = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: -122.4, latDeg: 37.6 };
  const block: AnalysisBlock = { rect: PART, core: PART, scenes: [planes], land: null, ground };
  const { objects } = detectAircraft.compute(block, null, { hasNir: false, pixelM: PIXEL_M });
  const { features } = JSON.parse(await readFile(listed, "utf8")) as Truth;
  const truth = features
    .map(({ properties }) => properties.pixel)
    .filter(
      ([x, y]) =>
        x >= column + MARGIN_PX &&
        x < column + columns - MARGIN_PX &&
        y >= row + MARGIN_PX &&
        y < row + rows - MARGIN_PX,
    );
  assert.ok(truth.length >= 10);
  const found = truth.filter(([x, y]) =>
    objects.some(({ centre }) => Math.hypot(centre[0] - x, centre[1] - y) < NEAR_PX),
  );
  assert.ok(found.length >= MIN_RECALL * truth.length, `found ${found.length} of ${truth.length}`);
  // The listing is not complete, so this bounds false alarms from above only.
  assert.ok(objects.length <= 2 * truth.length, `${objects.length} detections for ${truth.length} listed aircraft`);
  assert.ok(objects.every(({ confidence }) => confidence <= 0.6));
});
