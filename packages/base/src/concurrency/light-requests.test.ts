import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuiet } from "./light-requests.ts";
import { createRequestsInWork, follow } from "./requests-in-work.ts";

test("it is quiet a moment after the last light request, and beside one that lasts", () => {
  const light = createRequestsInWork();
  assert.equal(isQuiet(light, 0), true);
  const end = follow(light, 0);
  assert.deepEqual(
    [10, 49, 50].map((nowMs) => isQuiet(light, nowMs)),
    [false, false, true],
  );
  const endNext = follow(light, 60);
  endNext();
  end();
  assert.deepEqual([isQuiet(light, light.endedMs + 0.5), isQuiet(light, light.endedMs + 1)], [false, true]);
});
