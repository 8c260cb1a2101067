import assert from "node:assert/strict";
import { test } from "node:test";
import { propagatorOfTle, siderealAngle } from "./sgp4.ts";
import { readTle } from "./read-tle.ts";
import { propagatorOfElementSet } from "./element-set.ts";
import { VERIFICATION_CASES } from "./sgp4-verification.fixture.ts";

const DAY_MS = 86_400_000;

/** The last digit as the lines ask for it: some lines of the published set lack it. */
function withChecksum(line: string): string {
  let sum = 0;
  for (const character of line.slice(0, 68)) sum += character === "-" ? 1 : Number(character) || 0;
  return line.padEnd(68).slice(0, 68) + String(sum % 10);
}

test("every satellite of the published SGP4 verification set comes out to a metre, from lines and from elements", () => {
  let compared = 0;
  for (const { line1, line2, vectors } of VERIFICATION_CASES) {
    const lines = [withChecksum(line1), withChecksum(line2)] as const;
    const propagators = [propagatorOfTle(...lines)];
    try {
      propagators.push(propagatorOfElementSet(readTle(...lines)));
    } catch (error) {
      assert.ok(error instanceof RangeError);
    }
    const epochMs = epochOf(line1);
    for (const propagate of propagators) {
      for (const [minutes, ...expected] of vectors) {
        const timeMs = epochMs + minutes * 60_000;
        const { positionM } = propagate(timeMs);
        // Turned back by sidereal time, the rotating frame is the one of the reference.
        const turn = siderealAngle(timeMs);
        const back = [
          positionM[0] * Math.cos(turn) - positionM[1] * Math.sin(turn),
          positionM[0] * Math.sin(turn) + positionM[1] * Math.cos(turn),
          positionM[2],
        ];
        const offM = Math.hypot(...back.map((value, axis) => value - expected[axis] * 1000));
        assert.ok(offM < 1, `${line1.slice(2, 7)} after ${minutes} min: ${offM} m`);
        compared += 1;
      }
    }
  }
  assert.ok(compared > 200, `${compared} vectors`);
});

function epochOf(line1: string): number {
  const year = Number(line1.slice(18, 20));
  return Date.UTC(year < 57 ? 2000 + year : 1900 + year, 0, 1) + (Number(line1.slice(20, 32)) - 1) * DAY_MS;
}
