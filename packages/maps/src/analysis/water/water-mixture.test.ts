import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { INVALID } from "../texture/int-plane.ts";
import { BANK, COURSE, LAND_RADIUS_PX, SEED, waterMixture, type MixtureLimits } from "./water-mixture.ts";

// The kernel slides sums over windows, two pixels at a time: planes of every width are compared with the definition.

const LIMITS: MixtureLimits = {
  seedNdwi: -3000,
  seedNdvi: 4000,
  seedNir: 2200,
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
  readonly ndvi: Int16Array;
  readonly mask: Uint8Array;
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
    const mask = fc.array(fc.constantFrom(1, 1, 1, 3), { minLength: size, maxLength: size });
    return fc.tuple(pixels, ndwi, ndwi, mask).map(([values, indices, greens, clear]) => {
      const nir = Int16Array.from(values, ([near]) => near);
      const swir = Int16Array.from(values, ([, short]) => short);
      const wet = Int16Array.from(indices, (value, i) => (nir[i] === INVALID ? INVALID : value));
      return { columns, rows, nir, swir, ndwi: wet, ndvi: Int16Array.from(greens), mask: Uint8Array.from(clear) };
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
  const isWet = scene.ndwi[at] > LIMITS.seedNdwi && scene.ndvi[at] < LIMITS.seedNdvi && scene.nir[at] < LIMITS.seedNir;
  const begins = scene.mask[at] === 1 && isWet && least > LIMITS.seedFraction && rise > LIMITS.seedRise;
  const seed = begins ? SEED : 0;
  const course = least > LIMITS.courseFraction && rise > LIMITS.courseRise ? COURSE : 0;
  return seed + course + (bySwir > LIMITS.bankFraction ? BANK : 0);
}

test("valid pixels are mixtures of water and of the land in their window, by near and shortwave infrared", () => {
  fc.assert(
    fc.property(SCENE, fc.boolean(), (scene, hasSwir) => {
      const { columns, rows, nir, swir, mask } = scene;
      const planes = hasSwir ? { N: nir, S1: swir } : { N: nir };
      const valid = Uint8Array.from(nir, (value) => (value === INVALID ? 0 : 1));
      const mixture = waterMixture(
        { columns, rows, valid, planes },
        scene,
        mask.map((clear, i) => clear * valid[i]),
        LIMITS,
      );
      const expected = Array.from(nir, (value, i) => (value === INVALID ? null : bitsOf(scene, hasSwir, i)));
      const seeds = expected.filter((bits) => bits !== null && (bits & SEED) !== 0).length;
      assert.equal(mixture?.seeds ?? 0, seeds);
      if (mixture === null) return;
      const bits = Array.from(nir, (value, i) => (value === INVALID ? null : mixture.bits[i]));
      assert.deepEqual(bits, expected, `${columns} columns`);
    }),
    { endOnFailure: true },
  );
});
