import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { TRUTH_CLASSES } from "./render.ts";
import { planScene, renderWindow, simulateScene } from "./simulate-scene.ts";

const SMALL = { seed: 3, widthPx: 300, heightPx: 260, resolutionM: 10 };

test("equal options give equal pixels and another seed gives others", () => {
  const first = simulateScene(SMALL);
  const again = simulateScene(SMALL);
  assert.deepEqual(first.bands, again.bands);
  assert.deepEqual(first.truth, again.truth);
  assert.deepEqual(first.ships, again.ships);
  assert.notDeepEqual(first.bands[0], simulateScene({ ...SMALL, seed: 4 }).bands[0]);
});

test("any window shows the pixels of the whole scene", () => {
  const whole = simulateScene(SMALL);
  const plan = planScene(SMALL);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 290 }),
      fc.integer({ min: 0, max: 250 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 10 }),
      (column, row, wide, high) => {
        const widthPx = Math.min(wide, 300 - column);
        const heightPx = Math.min(high, 260 - row);
        const part = renderWindow(plan, { column, row, widthPx, heightPx });
        for (let y = 0; y < heightPx; y += 1) {
          const from = (row + y) * 300 + column;
          for (let band = 0; band < 4; band += 1) {
            assert.deepEqual(
              part.bands[band]!.subarray(y * widthPx, (y + 1) * widthPx),
              whole.bands[band]!.subarray(from, from + widthPx),
            );
          }
          assert.deepEqual(
            part.truth.subarray(y * widthPx, (y + 1) * widthPx),
            whole.truth.subarray(from, from + widthPx),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a window that leaves the scene is refused", () => {
  const plan = planScene(SMALL);
  assert.throws(() => renderWindow(plan, { column: 290, row: 0, widthPx: 11, heightPx: 1 }), RangeError);
});

test("options outside their ranges are refused with the value", () => {
  assert.throws(() => planScene({ ...SMALL, widthPx: 3 }), /got 3/);
  assert.throws(() => planScene({ ...SMALL, resolutionM: 100 }), /got 100/);
  assert.throws(() => planScene({ ...SMALL, epsg: 4326 }), /got 4326/);
  assert.throws(() => planScene({ ...SMALL, cloudiness: 2 }), /got 2/);
});

test("every class of the truth occurs", () => {
  const { truth } = simulateScene({ seed: 7, widthPx: 512, heightPx: 512, resolutionM: 6 });
  const counts = TRUTH_CLASSES.map((_, index) => truth.reduce((sum, value) => sum + (value === index ? 1 : 0), 0));
  for (const [index, count] of counts.entries()) {
    assert.ok(count > 0.005 * truth.length, `${TRUTH_CLASSES[index]} covers only ${count} of ${truth.length} pixels`);
  }
});

test("water absorbs and plants reflect near infrared", () => {
  const { bands, truth } = simulateScene({ seed: 7, widthPx: 400, heightPx: 400, resolutionM: 6, cloudiness: 0 });
  const meanNdvi = (kind: number): number => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < truth.length; i += 1) {
      if (truth[i] !== kind) continue;
      const nir = bands[3][i]!;
      const red = bands[2][i]!;
      sum += (nir - red) / (nir + red);
      count += 1;
    }
    return sum / count;
  };
  assert.ok(meanNdvi(TRUTH_CLASSES.indexOf("water")) < -0.1);
  assert.ok(meanNdvi(TRUTH_CLASSES.indexOf("nonurban")) > 0.35);
  assert.ok(meanNdvi(TRUTH_CLASSES.indexOf("urban")) < 0.35);
});

const cover = (cloudiness: number): number => simulateScene({ ...SMALL, cloudiness }).cloudCover;

test("a clear sky has no cloud and a cloudier sky has more", () => {
  assert.equal(cover(0), 0);
  assert.ok(cover(0.3) < cover(0.6));
  assert.ok(cover(0.6) < cover(0.95));
});

test("ships lie on water, inside the scene, and their hulls stand out", () => {
  for (const seed of [1, 2, 3]) {
    const scene = simulateScene({ seed, widthPx: 700, heightPx: 700, resolutionM: 4, cloudiness: 0 });
    assert.ok(scene.ships.length >= 3, `${scene.ships.length} ships`);
    for (const ship of scene.ships) {
      for (const [column, row] of ship.outlinePx) {
        assert.ok(column > 0 && row > 0 && column < 700 && row < 700);
        assert.equal(scene.truth[Math.floor(row) * 700 + Math.floor(column)], TRUTH_CLASSES.indexOf("water"));
      }
      const centre = Math.floor(ship.centrePx[1]) * 700 + Math.floor(ship.centrePx[0]);
      assert.ok(scene.bands[3][centre]! > 400, `near infrared on deck is ${scene.bands[3][centre]}`);
      assert.deepEqual(ship.outline.at(0), ship.outline.at(-1));
      const [column, row] = ship.outlinePx[0]!;
      const tail = ship.outlinePx.map(([x, y]) => Math.hypot(x - column, y - row) * 4);
      assert.ok(Math.abs(Math.max(...tail) - ship.lengthM) < 0.15 * ship.lengthM);
    }
  }
});

test("a scene of 100 km is planned as a whole and drawn by the window", () => {
  const plan = planScene({ seed: 1, widthPx: 5000, heightPx: 5000, resolutionM: 20 });
  const { truth } = renderWindow(plan, { column: 4000, row: 3000, widthPx: 32, heightPx: 32 });
  assert.equal(truth.length, 1024);
});
