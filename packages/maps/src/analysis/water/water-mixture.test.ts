import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { OpticalBands } from "../optical/optical-block.ts";
import { INVALID } from "../texture/int-plane.ts";
import { BANK, COURSE, LAND_RADIUS_PX, SEED, waterMixture, type MixtureLimits } from "./water-mixture.ts";

// The kernel slides sums over windows, two pixels at a time: planes of every width are compared with the definition.

const LIMITS: MixtureLimits = {
  seedFraction: 0.55,
  seedRise: 2500,
  courseFraction: 0.5,
  courseRise: 1000,
  bankFraction: 0.4,
};

interface Scene {
  readonly columns: number;
  readonly rows: number;
  readonly nir: Int16Array;
  readonly swir: Int16Array;
  readonly ndwi: Int16Array;
}

/** Bright land and water, and invalid pixels. */
const PIXEL = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.integer({ min: 600, max: 4000 }), fc.integer({ min: 100, max: 3000 })) },
  { weight: 3, arbitrary: fc.tuple(fc.integer({ min: -100, max: 900 }), fc.integer({ min: -100, max: 700 })) },
  { weight: 1, arbitrary: fc.constant([INVALID, INVALID] as const) },
);

const SCENE: fc.Arbitrary<Scene> = fc
  .tuple(fc.integer({ min: 1, max: 37 }), fc.integer({ min: 1, max: 5 }))
  .chain(([columns, rows]) => {
    const size = columns * rows;
    const pixels = fc.array(PIXEL, { minLength: size, maxLength: size });
    const ndwi = fc.array(fc.integer({ min: -9000, max: 9000 }), { minLength: size, maxLength: size });
    return fc.tuple(pixels, ndwi).map(([values, indices]) => {
      const nir = Int16Array.from(values, ([near]) => near);
      const swir = Int16Array.from(values, ([, short]) => short);
      const wet = Int16Array.from(indices, (value, i) => (nir[i] === INVALID ? INVALID : value));
      return { columns, rows, nir, swir, ndwi: wet };
    });
  });

/** Mean of a plane over the window of a pixel, weighted by the near infrared; NaN without any. */
function landOf({ columns, rows, nir }: Scene, plane: Int16Array, at: number): number {
  const [x, y] = [at % columns, Math.floor(at / columns)];
  let [sum, weights] = [0, 0];
  for (let row = Math.max(0, y - LAND_RADIUS_PX); row <= Math.min(rows - 1, y + LAND_RADIUS_PX); row++) {
    for (let column = x - LAND_RADIUS_PX; column <= x + LAND_RADIUS_PX; column++) {
      if (column < 0 || column >= columns) continue;
      const weight = Math.max(0, nir[row * columns + column]);
      weights += weight;
      sum += weight * plane[row * columns + column];
    }
  }
  return sum / weights;
}

function shareOf(land: number, value: number, water: number, least: number): number {
  return land > least ? (land - value) / (land - water) : -1;
}

function bitsOf(scene: Scene, hasSwir: boolean, at: number): number {
  const byNir = shareOf(landOf(scene, scene.nir, at), scene.nir[at], 200, 800);
  const bySwir = hasSwir ? shareOf(landOf(scene, scene.swir, at), scene.swir[at], 100, 200) : byNir;
  const least = Math.min(byNir, bySwir);
  const rise = scene.ndwi[at] - landOf(scene, scene.ndwi, at);
  const seed = least > LIMITS.seedFraction && rise > LIMITS.seedRise ? SEED : 0;
  const course = least > LIMITS.courseFraction && rise > LIMITS.courseRise ? COURSE : 0;
  return seed + course + (bySwir > LIMITS.bankFraction ? BANK : 0);
}

test("valid pixels are mixtures of water and of the land in their window, by near and shortwave infrared", () => {
  fc.assert(
    fc.property(SCENE, fc.boolean(), (scene, hasSwir) => {
      const { columns, rows, nir, swir, ndwi } = scene;
      const planes = hasSwir ? { N: nir, S1: swir } : { N: nir };
      const bands: OpticalBands = { columns, rows, valid: nir.map((value) => Number(value !== INVALID)), planes };
      const bits = waterMixture(bands, ndwi, LIMITS);
      for (let i = 0; i < bits.length; i++) {
        if (nir[i] !== INVALID) assert.equal(bits[i], bitsOf(scene, hasSwir, i), `pixel ${i} of ${columns} columns`);
      }
    }),
    { endOnFailure: true },
  );
});
