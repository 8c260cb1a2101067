import assert from "node:assert/strict";
import { test } from "node:test";
import { countInWork, createRequestsInWork, follow } from "./requests-in-work.ts";

test("a request counts until it ends, once", () => {
  const requests = createRequestsInWork();
  const [endFirst, endSecond] = [follow(requests, 0), follow(requests, 0)];
  assert.equal(countInWork(requests, 1, 50), 2);
  endFirst();
  assert.equal(countInWork(requests, 1, 50), 1);
  let ends = 0;
  requests.onEnd = () => (ends += 1);
  endFirst();
  assert.equal(ends, 0, "it has ended before");
  endSecond();
  assert.deepEqual([ends, countInWork(requests, 1, 50)], [1, 0]);
});

test("a request that lasts is forgotten, and those after it count", () => {
  const requests = createRequestsInWork();
  follow(requests, 0);
  follow(requests, 30);
  const counts = [49, 50, 79, 80].map((nowMs) => countInWork(requests, nowMs, 50));
  assert.deepEqual(counts, [2, 1, 1, 0]);
  assert.equal(requests.begun.size, 0);
});
