import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTrySeconds } from "./next-try.ts";

test("the advised wait is one second for short work, grows with age and stops at half a minute", () => {
  assert.deepEqual([0, 1, 10, 10.1, 95, 299, 300, 86_400].map(nextTrySeconds), [1, 1, 1, 2, 10, 30, 30, 30]);
});
