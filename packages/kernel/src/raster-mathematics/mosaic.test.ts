import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  emptyMosaic,
  hideClouds,
  meanPlane,
  medianPlane,
  mosaicOrder,
  takeGreatest,
  type MosaicLayer,
} from "./mosaic.ts";

const PIXELS = 12;
const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -50, max: 50 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const row = fc.array(value, { minLength: PIXELS, maxLength: PIXELS });
const clear = fc.option(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: PIXELS, maxLength: PIXELS }));
const scene = fc.record({ red: row, blue: row, score: row, clear });
const scenes = fc.array(scene, { minLength: 1, maxLength: 7 });

type GeneratedScene = (typeof scene extends fc.Arbitrary<infer S> ? S : never) & {};

function layerOf({ red, blue, clear: sky }: GeneratedScene, index: number): MosaicLayer {
  return {
    number: index + 1,
    planes: [Float32Array.from(red), Float32Array.from(blue)],
    clear: sky === null ? null : Uint8Array.from(sky),
  };
}

/** The scenes that show a pixel, by the definition: a value in each band and no cloud. */
function candidates(all: readonly GeneratedScene[], pixel: number): readonly number[] {
  return [...all.keys()].filter((index) => {
    const { red, blue, clear: sky } = all[index];
    return !Number.isNaN(red[pixel]) && !Number.isNaN(blue[pixel]) && sky?.[pixel] !== 0;
  });
}

test("the greatest rule takes the scene with the highest score, of equal scores the first", () => {
  fc.assert(
    fc.property(scenes, (all) => {
      const mosaic = emptyMosaic(PIXELS, 2);
      const best = new Float32Array(PIXELS).fill(Number.NaN);
      for (const [index, one] of all.entries()) {
        takeGreatest(mosaic, layerOf(one, index), best, Float32Array.from(one.score));
      }
      for (let pixel = 0; pixel < PIXELS; pixel++) {
        const scored = candidates(all, pixel).filter((index) => !Number.isNaN(all[index].score[pixel]));
        const greatest = Math.max(...scored.map((index) => all[index].score[pixel]));
        const chosen = scored.find((index) => all[index].score[pixel] === greatest);
        assert.equal(mosaic.choice[pixel], (chosen ?? -1) + 1);
        assert.deepEqual(mosaic.planes[0][pixel], chosen === undefined ? Number.NaN : all[chosen].red[pixel]);
      }
    }),
  );
});

test("mean and median equal those of the sorted list of the valid values", () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 9 }), (rows) => {
      const planes = rows.map((one) => Float32Array.from(one));
      const [mean, median] = [meanPlane(planes, PIXELS), medianPlane(planes, PIXELS)];
      for (let pixel = 0; pixel < PIXELS; pixel++) {
        const valid = rows.map((one) => one[pixel]).filter((one) => !Number.isNaN(one));
        if (valid.length === 0) {
          assert.ok(Number.isNaN(mean[pixel]) && Number.isNaN(median[pixel]));
          continue;
        }
        const sorted = valid.toSorted((a, b) => a - b);
        const middle = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
        assert.equal(median[pixel], Math.fround(middle));
        assert.equal(mean[pixel], Math.fround(valid.reduce((sum, one) => sum + one, 0) / valid.length));
      }
    }),
  );
});

test("clouds take the values of a scene away, and an unknown sky none", () => {
  const plane = Float32Array.from([1, 2, 3]);
  hideClouds([plane], null);
  assert.deepEqual([...plane], [1, 2, 3]);
  hideClouds([plane], Uint8Array.from([1, 0, 1]));
  assert.deepEqual([...plane], [1, Number.NaN, 3]);
});

test("newest orders by time, least cloudy by cover with unknown covers last, other rules keep the order", () => {
  const all = [
    { sceneId: "b", datetime: "2024-05-01 10:00:00", cloudCover: 0.2 },
    { sceneId: "c", datetime: "2024-05-03 10:00:00" },
    { sceneId: "d", datetime: "2024-05-02 10:00:00", cloudCover: 0.1 },
    { sceneId: "a", datetime: "2024-05-01 10:00:00", cloudCover: 0.2 },
    { sceneId: "e", datetime: "2024-05-04 10:00:00", cloudCover: 0.2 },
  ];
  const ids = (rule: Parameters<typeof mosaicOrder>[0]): string =>
    mosaicOrder(rule, all)
      .map(({ sceneId }) => sceneId)
      .join("");
  assert.equal(ids("newest"), "ecdab");
  assert.equal(ids("least-cloudy"), "deabc");
  for (const rule of ["first", "median", "mean", "max"] as const) assert.equal(ids(rule), "bcdae");
});
