import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzService } from "./fuzz-service.ts";

test("a thousand generated requests and sixty changed files leave the service whole", async (t) => {
  const { faults } = await fuzzService({
    seed: 1,
    requests: 1000,
    files: 60,
    withSamples: false,
    onProgress: (line) => t.diagnostic(line),
  });
  assert.deepEqual(faults, []);
});
