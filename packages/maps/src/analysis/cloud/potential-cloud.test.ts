import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { OpticalBands } from "../optical/optical-block.ts";
import { CIRRUS, CLEAR, POTENTIAL_CLOUD, potentialClouds, SNOW } from "./potential-cloud.ts";

// The kernel looks at eight pixels at a time: runs of any length are compared, pixel by pixel, with the rules as a person reads them.

const NAMES = ["B", "G", "R", "N", "S1", "S2", "C", "T"] as const;
type Name = (typeof NAMES)[number];
type Pixel = Readonly<Record<Name, number>>;

/** Greys, which clouds are, with some colour; and any values. */
const VALUES = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: -200, max: 9000 }),
      fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 6, maxLength: 6 }),
    )
    .map(([grey, colours]) => colours.map((colour) => grey + colour)),
  fc.array(fc.integer({ min: -2000, max: 12_000 }), { minLength: 6, maxLength: 6 }),
);
const PIXEL: fc.Arbitrary<Pixel> = fc
  .tuple(VALUES, fc.constantFrom(0, CIRRUS, CIRRUS + 1), fc.constantFrom(0, 30_015, 30_016))
  .map(([[B = 0, G = 0, R = 0, N = 0, S1 = 0, S2 = 0], C, T]) => ({ B, G, R, N, S1, S2, C, T }));

/** Bands beyond the visible ones that a sensor has. */
const SENSOR = fc.subarray<Name>(["N", "S1", "S2", "C", "T"]);

function classOf({ B, G, R, N, S1, S2, C, T }: Pixel, sensor: ReadonlySet<Name>): number {
  const [hasNir, hasSwir] = [sensor.has("N"), sensor.has("S1")];
  if (sensor.has("C") && C > CIRRUS) return POTENTIAL_CLOUD;
  if (sensor.has("T") && T > 30_015) return CLEAR;
  if (hasSwir) {
    const ndsi = G + S1 > 0 ? (G - S1) / (G + S1) : 0;
    if (ndsi > 0.4 && G > 1000 && (!hasNir || N > 1100)) {
      return ndsi < 0.8 && G > 4500 && S1 > 1500 ? POTENTIAL_CLOUD : SNOW;
    }
    if (hasNir && S1 > 0 && N / S1 <= 0.75) return CLEAR;
  }
  if (Math.min(B, G, R, hasNir ? N : B) >= 3500) return POTENTIAL_CLOUD;
  if (sensor.has("S2") && S2 <= 300) return CLEAR;
  const total = B + G + R;
  if (total < 3 * (hasSwir ? 1300 : 2800) || B - 0.5 * R <= 800) return CLEAR;
  const apart = Math.abs(3 * B - total) + Math.abs(3 * G - total) + Math.abs(3 * R - total);
  if (10 * apart >= 7 * total) return CLEAR;
  if (!hasNir) return POTENTIAL_CLOUD;
  const ndvi = N + R > 0 ? (N - R) / (N + R) : 0;
  return ndvi >= (hasSwir ? 0.8 : 0.3) || 30 * N < 7 * total ? CLEAR : POTENTIAL_CLOUD;
}

test("classes of pixels are as the rules say, whatever bands a sensor has", () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(fc.array(PIXEL, { minLength: 1, maxLength: 40 }), SENSOR, (pixels, sensor) => {
      const has = new Set<Name>(sensor);
      const plane = (name: Name) => Int16Array.from(pixels, (pixel) => pixel[name]);
      const shown = NAMES.filter((name) => "BGR".includes(name) || has.has(name));
      const bands: OpticalBands = {
        columns: pixels.length,
        rows: 1,
        valid: Uint8Array.from(pixels, (_, i) => (i % 11 === 5 ? 0 : 1)),
        planes: Object.fromEntries(shown.map((name) => [name, plane(name)])),
      };
      const expected = pixels.map((pixel, i) => (bands.valid[i] === 0 ? 0 : classOf(pixel, has)));
      for (const value of expected) seen.add(value);
      assert.deepEqual([...potentialClouds(bands)], expected);
    }),
    { numRuns: 300, endOnFailure: true },
  );
  assert.deepEqual(seen, new Set([0, CLEAR, POTENTIAL_CLOUD, SNOW]));
});
