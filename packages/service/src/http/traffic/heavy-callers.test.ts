import assert from "node:assert/strict";
import { test } from "node:test";
import { countRequest, createHeavyCallers, isHeavy, type HeavyCallers } from "./heavy-callers.ts";

/** Requests of callers, evenly over one second; whether the latest one of each was of a heavy caller. */
function oneSecond(callers: HeavyCallers, fromMs: number, requests: Readonly<Record<string, number>>) {
  const heavy = new Set<string>();
  for (let ms = 0; ms < 1_000; ms += 1) {
    for (const [caller, count] of Object.entries(requests)) {
      const isDue = Math.floor(((ms + 1) * count) / 1_000) > Math.floor((ms * count) / 1_000);
      if (!isDue) continue;
      countRequest(callers, caller, fromMs + ms);
      if (isHeavy(callers, caller)) heavy.add(caller);
    }
  }
  return [...heavy].toSorted();
}

test("a caller with many requests is heavy from the next second on while another one is here", () => {
  const callers = createHeavyCallers();
  assert.deepEqual(oneSecond(callers, 10_000, { crowd: 250, quiet: 20 }), []);
  assert.deepEqual(oneSecond(callers, 11_000, { crowd: 250, quiet: 20 }), ["crowd"]);
  assert.deepEqual(oneSecond(callers, 12_000, { crowd: 20, quiet: 20 }), ["crowd"]);
  assert.deepEqual(oneSecond(callers, 13_000, { crowd: 20, quiet: 20 }), []);
});

test("a caller is not heavy alone, nor with fewer than a hundred requests a second, nor among equals", () => {
  for (const requests of [{ crowd: 900 }, { crowd: 90, quiet: 2 }, { one: 300, another: 290 }]) {
    const callers = createHeavyCallers();
    oneSecond(callers, 10_000, requests);
    assert.deepEqual(oneSecond(callers, 11_000, requests), [], JSON.stringify(requests));
  }
});

test("two crowds are heavy beside a quiet caller", () => {
  const callers = createHeavyCallers();
  const requests = { one: 300, another: 250, quiet: 10 };
  oneSecond(callers, 10_000, requests);
  assert.deepEqual(oneSecond(callers, 11_000, requests), ["another", "one"]);
});

test("a caller counts as present for three seconds after its latest request", () => {
  const callers = createHeavyCallers();
  oneSecond(callers, 10_000, { quiet: 1 });
  oneSecond(callers, 11_000, { crowd: 200 });
  oneSecond(callers, 12_000, { crowd: 200 });
  assert.deepEqual(oneSecond(callers, 13_000, { crowd: 200 }), ["crowd"]);
  oneSecond(callers, 14_000, { crowd: 200 });
  assert.deepEqual(oneSecond(callers, 15_000, { crowd: 200 }), []);
});

test("a flood of new names keeps at most a thousand of them", () => {
  const callers = createHeavyCallers();
  for (let i = 0; i < 5_000; i += 1) countRequest(callers, `caller-${i}`, 10_000);
  assert.equal(callers.recent.size, 1_000);
  countRequest(callers, "late", 25_000);
  countRequest(callers, "late", 26_500);
  assert.equal(callers.recent.size, 1);
});
