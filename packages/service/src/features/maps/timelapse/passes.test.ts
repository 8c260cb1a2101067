import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, integer, property } from "fast-check";
import { formatInstant } from "@swath/kernel/time/instant";
import { passesOf } from "./passes.ts";

const PASS_MS = 600_000;

test("every item is in one pass, passes follow each other, and none is longer than ten minutes", () => {
  const seconds = array(integer({ min: 0, max: 20_000 }), { maxLength: 60 });
  assertProperty(
    property(seconds, (times) => {
      const items = times.map((time, index) => ({ index, datetime: formatInstant(time * 1000) }));
      const passes = passesOf(items, ({ datetime }) => datetime);
      const shown = passes.flatMap((pass) => pass.items.map(({ index }) => index));
      assert.deepEqual(
        shown.toSorted((a, b) => a - b),
        items.map(({ index }) => index),
      );
      for (const [i, { startEpochMs, endEpochMs }] of passes.entries()) {
        assert.ok(endEpochMs - startEpochMs <= PASS_MS);
        const before = passes[i - 1];
        if (before !== undefined) assert.ok(startEpochMs > before.startEpochMs + PASS_MS);
      }
    }),
    { endOnFailure: true },
  );
});
