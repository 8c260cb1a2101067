import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./until.ts";
import { testServer, type TestServer } from "../testing.ts";

async function listening(here: TestServer): Promise<(path: string, token?: string) => Promise<Response>> {
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  return (path, token) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return fetch(base + path, path === "/sample/wait" ? { method: "POST", headers } : { headers });
  };
}

test("a caller at the bound waits, beyond it is refused with 429, and refuses no other", async () => {
  await using here = await testServer({ traffic: { workPerCaller: 2, queuedPerCaller: 1, workInAll: 3 } });
  const many = (await here.addUser("many@example.org", [])).token;
  const quiet = (await here.addUser("quiet@example.org", [])).token;
  const ask = await listening(here);
  const answers = Array.from({ length: 4 }, () => ask("/sample/files/held/3", many));
  const refused = await Promise.race(answers);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  assert.equal(((await refused.json()) as { error: string }).error, "TOO-MANY-REQUESTS");
  assert.equal((await ask("/sample/greet/Ada", quiet)).status, 200);
  assert.equal((await ask("/sample/greet/Ada")).status, 200, "without a token, from the same address");
  here.seen.released.resolve();
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status));
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 200, 200, 429],
    "the one that waited had its turn",
  );
});

test("an address without tokens never uses up the share of a user behind the same address", async () => {
  await using here = await testServer({ traffic: { workPerCaller: 2, queuedPerCaller: 0, workInAll: 2 } });
  const { token } = await here.addUser("quiet@example.org", []);
  const ask = await listening(here);
  const anonymous = Array.from({ length: 3 }, () => ask("/sample/files/held/3"));
  assert.equal((await Promise.race(anonymous)).status, 429);
  assert.equal((await ask("/sample/greet/Ada", token)).status, 200);
  here.seen.released.resolve();
  await Promise.all(anonymous);
});

test("whoever waits too long for a place is refused: with 429 at the own bound", async () => {
  await using here = await testServer({ traffic: { workPerCaller: 1, queuedMs: 100 } });
  const { token } = await here.addUser("many@example.org", []);
  const ask = await listening(here);
  const first = ask("/sample/files/held/3", token);
  const second = ask("/sample/files/held/3", token);
  assert.equal((await Promise.race([first, second])).status, 429);
  here.seen.released.resolve();
  await Promise.all([first, second]);
});

test("a client that goes away leaves the queue", async () => {
  await using here = await testServer({ traffic: { workPerCaller: 1, queuedPerCaller: 1 } });
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const { places } = here.server.traffic;
  const first = fetch(`${base}/sample/files/held/3`);
  await until(() => places.shares.total === 1);
  const gone = new AbortController();
  const second = fetch(`${base}/sample/files/held/3`, { signal: gone.signal });
  await until(() => places.waiting.size === 1);
  gone.abort();
  await assert.rejects(second);
  await until(() => places.waiting.size === 0);
  here.seen.released.resolve();
  assert.equal((await first).status, 200);
  await until(() => places.shares.total === 0);
});

test("held-back answers hold no places, have a bound per caller, and come at once beyond it", async () => {
  await using here = await testServer({ traffic: { workPerCaller: 1, queuedPerCaller: 0, waitsPerCaller: 3 } });
  const many = (await here.addUser("many@example.org", [])).token;
  const quiet = (await here.addUser("quiet@example.org", [])).token;
  const ask = await listening(here);
  const held: Promise<Response>[] = [];
  for (let i = 0; i < 3; i += 1) {
    held.push(ask("/sample/wait", many));
    // Each is under way when the next one asks: with a place taken, this would be refused.
    await until(() => here.server.traffic.waits.total > i);
  }
  assert.equal((await ask("/sample/greet/Ada", many)).status, 200);
  assert.deepEqual(await (await ask("/sample/wait", many)).json(), { waited: false });
  const other = ask("/sample/wait", quiet);
  here.seen.released.resolve();
  for (const answer of [...held, other]) assert.deepEqual(await (await answer).json(), { waited: true });
  assert.equal(here.server.traffic.waits.total, 0);
});

test("probes are answered whatever the callers do", async () => {
  await using here = await testServer({ traffic: { workPerCaller: 1, queuedPerCaller: 0, workInAll: 1 } });
  const ask = await listening(here);
  const held = [ask("/sample/files/held/3"), ask("/sample/files/held/3")];
  assert.equal((await Promise.race(held)).status, 429);
  assert.equal((await ask("/health/live")).status, 200);
  here.seen.released.resolve();
  await Promise.all(held);
});
