import assert from "node:assert/strict";
import { test } from "node:test";
import { testDatabase } from "../postgres/testing.ts";
import { ACCOUNT_FAILURES, createLoginThrottle } from "./login-throttle.ts";

const ADDRESS = "192.0.2.1";

test("attempts at the same time are not locked out when the later one writes first", async () => {
  await using database = await testDatabase();
  const { db } = database;
  let nowMs = Date.UTC(2026, 0, 1);
  const throttle = createLoginThrottle({ db, clock: { now: () => new Date(nowMs) } });
  for (let attempt = 1; attempt < ACCOUNT_FAILURES; attempt += 1) {
    assert.equal(await throttle.beginLogin("ada@example.org", ADDRESS, async () => false), 0, `attempt ${attempt}`);
    nowMs -= 5;
  }
  // The last of them locks, for clocks that are a little behind as well.
  assert.equal(await throttle.beginLogin("ada@example.org", ADDRESS, async () => false), 0);
  nowMs -= 5;
  assert.ok((await throttle.beginLogin("ada@example.org", ADDRESS, async () => false)) > 0);
});
