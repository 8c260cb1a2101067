import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes } from "./bytes.ts";

test("bytes have the largest unit of a thousand that fits", () => {
  assert.equal(formatBytes(0), "0\u00a0B");
  assert.equal(formatBytes(999), "999\u00a0B");
  assert.equal(formatBytes(1_000), "1.0\u00a0KB");
  assert.equal(formatBytes(1_073_741_824), "1.1\u00a0GB");
  assert.equal(formatBytes(5e15), "5,000.0\u00a0TB");
});
