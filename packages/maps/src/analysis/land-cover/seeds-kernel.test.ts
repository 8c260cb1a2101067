import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { OpticalBands } from "../optical/optical-block.ts";
import { NONURBAN, URBAN, WATER } from "./classes.ts";
import type { LandCoverFeatures } from "./features.ts";
import { seedsOf, sureWater } from "./seeds.ts";

// The kernel looks at eight pixels at a time: runs of any length are compared, pixel by pixel, with the rules as a person reads them.

interface Pixel {
  readonly ndvi: number;
  readonly ndwi: number;
  readonly mndwi: number;
  readonly nir: number;
  readonly density: number;
  readonly mask: number;
}

/** Values on both sides of each limit of the rules, and any others. */
const around = (...limits: readonly number[]): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(...limits.flatMap((limit) => [limit - 1, limit, limit + 1])),
    fc.integer({ min: -9999, max: 9999 }),
  );

const PIXEL: fc.Arbitrary<Pixel> = fc.record({
  ndvi: around(1000, 2000),
  ndwi: around(500, 0, -1000, -1500),
  mndwi: around(3000, -500),
  nir: around(1200, 1500),
  density: around(28, 22, 31, 25),
  mask: fc.constantFrom(0, 1, 1, 1, 3),
});

function isSure({ ndvi, ndwi, mndwi, nir }: Pixel, hasSwir: boolean): boolean {
  if (ndvi >= 1000 || nir >= 1200) return false;
  return ndwi > 500 || (hasSwir && mndwi > 3000 && ndwi > 0);
}

function seedOf(pixel: Pixel, hasSwir: boolean, noise: number): number {
  const { ndvi, ndwi, mndwi, nir, density, mask } = pixel;
  if (mask !== 1) return 0;
  const isLikely = ndvi < 2000 && nir < 1200 && ndwi > -1000 && (!hasSwir || mndwi > -500);
  if (isSure(pixel, hasSwir) || isLikely) return WATER;
  if (ndwi > -1500 && nir < 1500) return 0;
  if (density - noise >= 28) return URBAN;
  return density - noise <= 22 ? NONURBAN : 0;
}

test("seeds of coarse pixels, and sure water, are as the rules say", () => {
  fc.assert(
    fc.property(
      fc.array(PIXEL, { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      fc.double({ min: 0, max: 9, noNaN: true }),
      (pixels, hasSwir, noise) => {
        const plane = (name: keyof Pixel): Int16Array => Int16Array.from(pixels, (pixel) => pixel[name]);
        const [ndvi, ndwi, density, nir] = [plane("ndvi"), plane("ndwi"), plane("density"), plane("nir")];
        const features = {
          ndvi,
          ndwi,
          density,
          mndwi: hasSwir ? plane("mndwi") : null,
        } as unknown as LandCoverFeatures;
        const bands = { columns: pixels.length, rows: 1, planes: { N: nir } } as unknown as OpticalBands;
        const mask = Uint8Array.from(pixels, (pixel) => pixel.mask);
        const sure = pixels.map((pixel) => (isSure(pixel, hasSwir) ? 1 : 0));
        assert.deepEqual([...sureWater(features, nir)], sure);
        const seeds = pixels.map((pixel) => seedOf(pixel, hasSwir, noise));
        assert.deepEqual([...seedsOf(bands, features, mask, { gsdM: 10, noise })], seeds);
      },
    ),
  );
});
