import assert from "node:assert/strict";
import { test } from "node:test";
import { hullAround, type HullSearch } from "./hull.ts";
import type { ShipShape } from "../shape/measure.ts";

const SIDE = 64;
const LEAST = 33;
const GROUND = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };

/** Amplitudes along one row of three, squared to scores, with a blurred outline. */
function sceneOf(profile: readonly number[]): Float32Array {
  const score = new Float32Array(SIDE * SIDE).fill(2);
  for (const [k, amplitude] of profile.entries()) {
    for (let row = 30; row <= 34; row++) {
      const share = row === 30 || row === 34 ? 0.3 : 1;
      score[row * SIDE + 10 + k] = (share * amplitude) ** 2;
    }
  }
  return score;
}

function hullOf(score: Float32Array): { readonly lengthM: number; readonly tailPx: number } {
  const peak = score.indexOf(Math.max(...score));
  const search: HullSearch = {
    score,
    doubtful: Uint8Array.from(score, (value) => (value > 0.3 * LEAST ? 1 : 0)),
    taken: new Uint8Array(score.length),
    columns: SIDE,
    ground: GROUND,
    resolutionM: 10,
    gapPx: 1,
    reachPx: 45,
    isShip: ({ lengthM, widthM, fill }: ShipShape) => lengthM < 450 && lengthM < 10 * widthM && fill > 0.6,
  };
  const { members, withTail, shape } = hullAround(peak, LEAST, search);
  return { lengthM: shape.lengthM, tailPx: withTail.length - members.length };
}

test("a deck belongs to the hull, though the bridge outshines it six times", () => {
  const profile = [...Array<number>(14).fill(120), 800, 800, 120];
  const { lengthM } = hullOf(sceneOf(profile));
  assert.ok(Math.abs(lengthM - 170) < 25, `${lengthM} m`);
});

test("a ship is measured without a wake that is as light as its deck, when its bridge parts the two", () => {
  const wake = Array.from({ length: 36 }, (_, k) => (k < 18 ? 140 : 95));
  const { lengthM, tailPx } = hullOf(sceneOf([...Array<number>(14).fill(165), 500, 850, 600, ...wake]));
  // With the wake it is 530 m long.
  assert.ok(Math.abs(lengthM - 175) < 25, `${lengthM} m`);
  assert.ok(tailPx > 40, `${tailPx}`);
});

test("a faint wake behind a hull is none of it", () => {
  const profile = [...Array<number>(15).fill(300), ...Array<number>(20).fill(24)];
  const { lengthM } = hullOf(sceneOf(profile));
  assert.ok(Math.abs(lengthM - 150) < 25, `${lengthM} m`);
});

test("of a boat whose wake is as light and fades steadily the head is left", () => {
  const profile = Array.from({ length: 24 }, (_, k) => 300 * 0.88 ** k);
  const { lengthM, tailPx } = hullOf(sceneOf(profile));
  assert.ok(lengthM < 60, `${lengthM} m`);
  assert.ok(tailPx > 20, `${tailPx}`);
});
