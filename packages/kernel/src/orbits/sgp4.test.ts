import assert from "node:assert/strict";
import { test } from "node:test";
import { propagatorOfElements, propagatorOfTle, secularRates, siderealAngle } from "./sgp4.ts";

test("the first case of the published SGP4 verification set comes out to a metre", () => {
  // Vallado, Crawford, Hujsak, Kelso: Revisiting Spacetrack Report #3 (AIAA 2006-6753), satellite 00005.
  const propagate = propagatorOfTle(
    "1 00005U 58002B   00179.78495062  .00000023  00000-0  28098-4 0  4753",
    "2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413667",
  );
  const epochMs = Date.UTC(2000, 0, 1) + 178.78495062 * 86_400_000;
  for (const [minutes, x, y, z] of [
    [0, 7022.46529266, -1400.08296755, 0.03995155],
    [360, -7154.03120202, -3783.17682504, -3536.19412294],
  ] as const) {
    const timeMs = epochMs + minutes * 60_000;
    const { positionM } = propagate(timeMs);
    // Turned back by sidereal time, the rotating frame is the one of the reference.
    const turn = siderealAngle(timeMs);
    const back = [
      positionM[0] * Math.cos(turn) - positionM[1] * Math.sin(turn),
      positionM[0] * Math.sin(turn) + positionM[1] * Math.cos(turn),
      positionM[2],
    ];
    for (const [axis, expected] of [x, y, z].entries()) {
      assert.ok(Math.abs((back[axis] ?? 0) - expected * 1000) < 1, `${minutes} min, axis ${axis}: ${back[axis]}`);
    }
  }
});

test("propagated elements stay within six kilometres of satellite navigation for three weeks", () => {
  const propagate = propagatorOfTle(
    "1 41456U 16025A   18124.13828432 -.00000022  00000-0  49756-5 0  9992",
    "2 41456  98.1817 132.0102 0001487  82.9964 277.1419 14.59197806107664",
  );
  // State vectors in the annotation of Sentinel-1B scenes.
  for (const [utc, position, velocity] of [
    [
      "2018-04-30T14:18:59Z",
      [-1695483.609636, -3877967.386065, 5660886.859453],
      [-4260.439198, -4518.674371, -4361.257218],
    ],
    [
      "2018-05-12T14:19:00Z",
      [-1695418.590969, -3878031.327126, 5660872.136485],
      [-4260.493621, -4518.632196, -4361.247571],
    ],
    [
      "2018-05-24T14:19:01Z",
      [-1695365.073097, -3878089.672215, 5660854.373317],
      [-4260.563327, -4518.576678, -4361.24138],
    ],
  ] as const) {
    const state = propagate(Date.parse(utc));
    const off = Math.hypot(...state.positionM.map((value, axis) => value - (position[axis] ?? 0)));
    const offVelocity = Math.hypot(...state.velocityMs.map((value, axis) => value - (velocity[axis] ?? 0)));
    assert.ok(off < 6000, `${utc}: ${off} m`);
    assert.ok(offVelocity < 7, `${utc}: ${offVelocity} m/s`);
  }
});

test("velocity is the change of position in the rotating frame", () => {
  const propagate = propagatorOfElements({
    epochMs: Date.UTC(2024, 5, 1),
    meanMotionRevPerDay: 14.3,
    eccentricity: 0.001,
    inclinationDeg: 98.5,
    nodeDeg: 40,
    perigeeDeg: 10,
    meanAnomalyDeg: 20,
  });
  const at = Date.UTC(2024, 5, 1, 3);
  const [before, now, after] = [propagate(at - 500), propagate(at), propagate(at + 500)];
  for (const axis of [0, 1, 2] as const) {
    const change = after.positionM[axis] - before.positionM[axis];
    assert.ok(Math.abs(change - now.velocityMs[axis]) < 0.5, `axis ${axis}: ${change} and ${now.velocityMs[axis]}`);
  }
});

test("the node of a sun-synchronous orbit follows the sun", () => {
  // Sentinel-2 handbook: 98.62 degrees, 786 km, 14.308 revolutions a day.
  const { nodeRadPerS } = secularRates({
    epochMs: 0,
    meanMotionRevPerDay: 14.308,
    eccentricity: 1e-4,
    inclinationDeg: 98.57,
    nodeDeg: 0,
    perigeeDeg: 0,
    meanAnomalyDeg: 0,
  });
  const degreesPerDay = (nodeRadPerS * 86_400 * 180) / Math.PI;
  assert.ok(Math.abs(degreesPerDay - 0.9856) < 0.002, `${degreesPerDay}`);
});

test("lines that are none or were changed are refused", () => {
  const first = "1 41456U 16025A   18124.13828432 -.00000022  00000-0  49756-5 0  9992";
  const second = "2 41456  98.1817 132.0102 0001487  82.9964 277.1419 14.59197806107664";
  assert.throws(() => propagatorOfTle("", ""), RangeError);
  assert.throws(() => propagatorOfTle(second, first), RangeError);
  assert.throws(() => propagatorOfTle(first, second.replace("98.1817", "97.1817")), /checksum/);
});
