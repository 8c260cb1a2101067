import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { rowWindow, scrolledTo } from "./row-window.ts";

const ROW_PX = 32;
const scrolled = fc.record({
  topPx: fc.nat({ max: 2_000_000 }),
  heightPx: fc.nat({ max: 2_000 }),
  rowPx: fc.constant(ROW_PX),
  rowCount: fc.nat({ max: 60_000 }),
});

test("each seen row is drawn, and no more than the seen ones and 24 others", () => {
  fc.assert(
    fc.property(scrolled, (state) => {
      const { first, end } = rowWindow(state);
      assert.ok(0 <= first && first <= end && end <= state.rowCount);
      for (const y of [state.topPx, state.topPx + state.heightPx]) {
        const row = Math.floor(y / ROW_PX);
        if (row < state.rowCount) assert.ok(first <= row && row < end, `row ${row} of ${first} to ${end}`);
      }
      assert.ok(end - first <= state.heightPx / ROW_PX + 26);
    }),
    { endOnFailure: true },
  );
});

test("a row that is scrolled to is seen whole, and one that is seen does not move", () => {
  fc.assert(
    fc.property(scrolled, fc.nat({ max: 60_000 }), (state, position) => {
      const view = { ...state, heightPx: state.heightPx + ROW_PX };
      const topPx = scrolledTo(view, position);
      assert.ok(topPx <= position * ROW_PX && (position + 1) * ROW_PX <= topPx + view.heightPx);
      assert.equal(scrolledTo({ ...view, topPx }, position), topPx);
    }),
    { endOnFailure: true },
  );
});
