import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formatDrawing, limitOf, parseDrawing, type Drawing } from "./drawing.ts";

const limit = fc.double({ min: -1e12, max: 1e12, noNaN: true }).map((value) => limitOf(value) + 0);
const drawing: fc.Arbitrary<Drawing> = fc.oneof(
  fc
    .tuple(limit, limit)
    .filter(([low, high]) => low < high && Math.abs(low) >= 1e-6 && Math.abs(high) >= 1e-6)
    .map(([low, high]) => ({ kind: "limits" as const, low, high })),
  fc.constant({ kind: "percentiles" as const }),
  fc.constantFrom(-0.25, 0, 0.5, 1850).map((value) => ({ kind: "threshold" as const, value })),
  fc.string({ minLength: 1, maxLength: 100 }).map((classification) => ({ kind: "classes" as const, classification })),
);

test("a link holds how a layer is drawn", () => {
  fc.assert(
    fc.property(drawing, (one) => {
      assert.deepEqual(parseDrawing(formatDrawing(one)), one);
    }),
    { endOnFailure: true },
  );
});

test("the parameters are those of the service, one at a time", () => {
  assert.equal(formatDrawing({ kind: "limits", low: -0.2, high: 0.8 }), "stretch=-0.2%2C0.8");
  assert.equal(formatDrawing({ kind: "percentiles" }), "percentile_stretch=true");
  for (const text of [
    "",
    "stretch=1,0",
    "stretch=1",
    "stretch=a,b",
    "stretch=0,1e3",
    "user_threshold=x",
    "force_download=1",
    "stretch=0,1&user_threshold=0",
    "classification=",
  ]) {
    assert.equal(parseDrawing(text), null, text);
  }
});
