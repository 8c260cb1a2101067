import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { pageOf } from "./page-of.ts";

test("pages together give every row once, and none behind the last row", () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 7 }), (count, limit) => {
      const rows = Array.from({ length: count }, (_, index) => index + 1);
      const seen: string[] = [];
      let [after, pages]: [number | null, number] = [0, 0];
      while (after !== null) {
        const from: number = after;
        const read = rows.filter((row) => row > from).slice(0, limit + 1);
        const { results, cursor } = pageOf(read, limit, String, (last) => last);
        assert.ok(results.length <= limit);
        seen.push(...results);
        [after, pages] = [cursor, pages + 1];
      }
      assert.deepEqual(seen, rows.map(String));
      assert.equal(pages, Math.max(1, Math.ceil(count / limit)));
    }),
    { endOnFailure: true },
  );
});
