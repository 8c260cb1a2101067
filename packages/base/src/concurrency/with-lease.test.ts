import assert from "node:assert/strict";
import { test } from "node:test";
import { withLease } from "./with-lease.ts";

const NEVER = new AbortController().signal;

test("a lease is prolonged while the work runs, also after a fault", async () => {
  const faults: unknown[] = [];
  let prolonged = 0;
  const enough = Promise.withResolvers<void>();
  const lease = {
    ms: 3,
    prolong() {
      prolonged += 1;
      if (prolonged === 2) return Promise.reject(new Error("no database"));
      if (prolonged === 4) enough.resolve();
      return Promise.resolve(true);
    },
    onFault: (error: unknown) => void faults.push(error),
  };
  const result = await withLease(lease, NEVER, async (signal) => {
    await enough.promise;
    return signal.aborted;
  });
  assert.equal(result, false);
  assert.equal(faults.length, 1);
});

test("a lease that another holder has aborts the work", async () => {
  const lease = { ms: 3, prolong: () => Promise.resolve(false), onFault: assert.fail };
  const work = withLease(lease, NEVER, async (signal) => {
    const aborted = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => aborted.resolve());
    await aborted.promise;
    signal.throwIfAborted();
  });
  await assert.rejects(work, /another holder has the lease/u);
});
