import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { mergeRanges } from "./merge-ranges.ts";

const range = (start: number, end: number) => ({ start, end });

test("ranges near each other become one, up to a length; overlaps always do", () => {
  const limits = { maxGap: 10, maxLength: 100 };
  assert.deepEqual(mergeRanges([range(50, 60), range(0, 20), range(25, 45)], limits), [range(0, 60)]);
  assert.deepEqual(mergeRanges([range(0, 20), range(31, 40)], limits), [range(0, 20), range(31, 40)]);
  assert.deepEqual(mergeRanges([range(0, 60), range(60, 120)], limits), [range(0, 60), range(60, 120)]);
  assert.deepEqual(mergeRanges([range(0, 90), range(80, 150), range(85, 86)], limits), [range(0, 150)]);
  assert.deepEqual(mergeRanges([range(0, 500)], limits), [range(0, 500)]);
  assert.deepEqual(mergeRanges([], limits), []);
});

test("every range lies in exactly one merged range, and merged ranges are apart and in order", () => {
  const one = fc
    .tuple(fc.nat(1000), fc.integer({ min: 1, max: 100 }))
    .map(([start, length]) => range(start, start + length));
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 40 }),
      fc.nat(50),
      fc.integer({ min: 1, max: 300 }),
      (ranges, maxGap, maxLength) => {
        const merged = mergeRanges(ranges, { maxGap, maxLength });
        for (const { start, end } of ranges) {
          assert.equal(merged.filter((group) => start >= group.start && end <= group.end).length, 1);
        }
        for (const [i, group] of merged.entries()) assert.ok(i === 0 || group.start >= (merged[i - 1]?.end ?? 0));
      },
    ),
  );
});
