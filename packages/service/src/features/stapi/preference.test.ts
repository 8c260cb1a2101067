import assert from "node:assert/strict";
import { test } from "node:test";
import { readPreference } from "./preference.ts";

const read = (prefer?: string): readonly unknown[] => Object.values(readPreference(prefer));

test("a preference names the way and the wait of an answer", () => {
  assert.deepEqual(read(), [false, 20]);
  assert.deepEqual(read("wait"), [false, 60]);
  assert.deepEqual(read("wait=5"), [false, 5]);
  assert.deepEqual(read('Wait="7"; foo=bar'), [false, 7]);
  assert.deepEqual(read("wait=100000"), [false, 60]);
  assert.deepEqual(read("respond-async"), [true, 0]);
  assert.deepEqual(read("respond-async, wait=3"), [true, 3]);
  assert.deepEqual(read("wait=soon"), [false, 60]);
  assert.deepEqual(read("return=minimal"), [false, 20]);
});
