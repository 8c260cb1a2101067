import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { openListening, type Listening } from "./listening.ts";
import { testDatabase } from "./testing.ts";
import { testProxy } from "./testing-proxy.ts";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Resolves with the next payload. */
function heard(listening: Listening, channel: string): Promise<string> {
  return new Promise((resolve) => {
    const stop = listening.onNotification(channel, (payload) => {
      stop();
      resolve(payload);
    });
  });
}

test("a notification arrives on its channel alone, with its payload", async () => {
  await using database = await testDatabase();
  await using listening = openListening(database.url, ["one", "two"], silentLog);
  await until(() => listening.isCurrent());
  const payloads: string[] = [];
  listening.onNotification("two", (payload) => payloads.push(payload));
  const arrived = heard(listening, "one");
  await sql`select pg_notify('two', 'b'), pg_notify('one', 'a')`.execute(database.db);
  assert.equal(await arrived, "a");
  assert.deepEqual(payloads, ["b"]);
});

test("a cut connection is replaced, which is told, and notifications arrive again", async () => {
  await using database = await testDatabase();
  await using listening = openListening(database.url, ["one"], silentLog);
  await until(() => listening.isCurrent());
  const reconnected = new Promise<void>((resolve) => void listening.onReconnected(resolve));
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'swath signals'`.execute(database.db);
  await until(() => !listening.isCurrent());
  await reconnected;
  const arrived = heard(listening, "one");
  await sql`select pg_notify('one', 'again')`.execute(database.db);
  assert.equal(await arrived, "again");
});

test("a server that falls silent makes the connection stale within a second, and its next answer current again", async () => {
  await using database = await testDatabase();
  await using proxy = await testProxy(database.url);
  await using listening = openListening(proxy.url, ["one"], silentLog);
  await until(() => listening.isCurrent());
  proxy.fallSilent();
  const silentAtMs = performance.now();
  let seenAtMs = silentAtMs;
  while (listening.isCurrent()) {
    seenAtMs = performance.now();
    await turn();
  }
  assert.ok(seenAtMs - silentAtMs <= 1_000, `still current after ${seenAtMs - silentAtMs} ms`);
  proxy.speak();
  await until(() => listening.isCurrent());
});
