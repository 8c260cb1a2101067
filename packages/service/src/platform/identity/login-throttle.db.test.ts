import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
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

test("an attempt from a locked address is not charged to the account", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const throttle = createLoginThrottle({ db, clock: { now: () => new Date(Date.UTC(2026, 0, 1)) } });
  const guess = (email: string): Promise<number> => throttle.beginLogin(email, ADDRESS, async () => false);
  let guesses = 0;
  while ((await guess(`user-${guesses}@example.org`)) === 0) guesses += 1;
  assert.equal(
    await throttle.beginLogin("ada@example.org", ADDRESS, async () => true),
    await guess("grace@example.org"),
  );
  const { rows } = await sql<{ subject: string }>`
    select subject from login_attempts where subject like '%ada@example.org%'`.execute(db);
  assert.deepEqual(rows, []);
});

test("logins of one account at the same time take their attempts back without waiting for each other", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const throttle = createLoginThrottle({ db, clock: { now: () => new Date(Date.UTC(2026, 0, 1)) } });
  const login = async (address: string): Promise<void> => {
    assert.equal(await throttle.beginLogin("ada@example.org", address, async () => false), 0);
    await throttle.loggedIn("ada@example.org", address);
  };
  // As many from each address as lock the account there when none has succeeded yet, less one.
  const addresses = ["192.0.2.1", "192.0.2.2"].flatMap((address) => Array<string>(ACCOUNT_FAILURES - 1).fill(address));
  for (let round = 0; round < 5; round += 1) await Promise.all(addresses.map(login));
  const { rows } = await sql<{ failures: number }>`select failures from login_attempts where failures > 0`.execute(db);
  assert.deepEqual(rows, []);
});
