import assert from "node:assert/strict";
import { test } from "node:test";
import { processingOffset } from "./optical-block.ts";
import { opticalTestParameters, paintedBlock, ROLES, SPECTRA, type Painter } from "./testing.ts";

const SIDE = 40;
const CORE = { column: 0, row: 0, columns: SIDE, rows: SIDE };
const VISIBLE_AND_NIR = ["B", "G", "R", "N"] as const;

function offsetOf(paint: Painter, given: Parameters<typeof opticalTestParameters>[2] = {}): number {
  const parameters = opticalTestParameters(SIDE, SIDE, given);
  const overview = paintedBlock(CORE, 0, [SIDE, SIDE], paint, parameters);
  return processingOffset({ overview, windows: [] }, 0, parameters);
}

/** Water, forest and fields under light that is added to all bands or to some. */
function landUnder(light: readonly number[]): Painter {
  return (x, y) => {
    const ground = x < 10 ? SPECTRA.water : y < 20 ? SPECTRA.forest : SPECTRA.field;
    return ground.map((value, i) => value + light[i]);
  };
}

const offset = landUnder(ROLES.map(() => 0.1));
/** White haze: as much light in the visible bands and the near infrared, hardly any beyond. */
const haze = landUnder([0.11, 0.11, 0.11, 0.11, 0.03, 0.01]);

test("what has been added to all bands alike is an offset, whatever light is not", () => {
  assert.equal(offsetOf(offset), 0.1);
  assert.equal(offsetOf(landUnder([0, 0, 0, 0, 0, 0])), 0);
  assert.equal(offsetOf(haze), 0);
  assert.equal(offsetOf(landUnder(ROLES.map(() => 0.2))), 0, "more than the offset");
});

test("without a band beyond haze there is no telling, and pictures have none", () => {
  assert.equal(offsetOf(haze, { roles: VISIBLE_AND_NIR }), 0);
  assert.equal(offsetOf(offset, { roles: VISIBLE_AND_NIR }), 0);
  assert.equal(offsetOf(offset, { scale: 2 }), 0);
});

test("a scene of next to no data says nothing", () => {
  assert.equal(
    offsetOf((x, y) => (x < 9 && y < 9 ? offset(x, y) : null)),
    0,
  );
});
