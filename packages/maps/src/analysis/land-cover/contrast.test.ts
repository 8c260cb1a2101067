import assert from "node:assert/strict";
import { test } from "node:test";
import { opticalBands } from "../optical/optical-block.ts";
import { opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { contrastOf } from "./contrast.ts";

const SIZE = 20;
const parameters = opticalTestParameters(SIZE, SIZE);
const bright: Painter = (x) => (x === 0 ? null : SPECTRA.roof);

function bandsOf(paint: Painter) {
  const rect = { column: 0, row: 0, columns: SIZE, rows: SIZE };
  return opticalBands(paintedBlock(rect, 0, [SIZE, SIZE], paint, parameters), 0, parameters, 0);
}

test("stretched pictures have as much more contrast as they are brighter than land, reflectance has its own", () => {
  // A roof is 0.25, 0.26 and 0.27 bright, land about 0.1.
  const contrast = contrastOf(bandsOf(bright), { scale: 0.4 / 255 });
  assert.ok(Math.abs(contrast - 2.6) < 0.01, `${contrast}`);
  assert.equal(contrastOf(bandsOf(bright), { scale: 1 }), 1);
  assert.equal(
    contrastOf(
      bandsOf(() => SPECTRA.water),
      { scale: 0.4 / 255 },
    ),
    1,
  );
  assert.equal(
    contrastOf(
      bandsOf(() => null),
      { scale: 0.4 / 255 },
    ),
    1,
  );
});
