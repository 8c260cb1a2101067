import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { dotLabels } from "./dot-labels.ts";

test("dots apart keep their labels, dots beside an earlier one share its line", () => {
  const labels = dotLabels([
    { x: 100, y: 50, label: "@1" },
    { x: 110, y: 44, label: "@2" },
    { x: 100, y: 80, label: "@3" },
    { x: 84, y: 60, label: "@4" },
  ]);
  assert.deepEqual(labels, [
    { x: 100, y: 50, label: "@1 @2 @4" },
    { x: 100, y: 80, label: "@3" },
  ]);
});

test("every label is written once, and no two begin within 32 by 16 pixels", () => {
  const place = fc.record({ x: fc.integer({ min: 0, max: 200 }), y: fc.integer({ min: 0, max: 200 }) });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 30 }), (places) => {
      const labels = dotLabels(places.map((at, i) => ({ ...at, label: `@${i + 1}` })));
      const written = labels.flatMap(({ label }) => label.split(" "));
      assert.deepEqual(new Set(written), new Set(places.map((_, i) => `@${i + 1}`)));
      assert.equal(written.length, places.length);
      for (const [i, one] of labels.entries()) {
        for (const other of labels.slice(i + 1)) {
          assert.ok(Math.abs(one.x - other.x) >= 32 || Math.abs(one.y - other.y) >= 16);
        }
      }
    }),
  );
});
