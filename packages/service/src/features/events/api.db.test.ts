import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { NewEvent } from "../../platform/events/record-event.ts";
import type { FollowedStream } from "./followed-stream-testing.ts";
import { eventBench, type Account } from "./testing.ts";

function order(n: number, { caller }: Account): NewEvent {
  return { type: "order.status", subject: `order:${n}`, audience: { userId: caller.userId }, data: { n } };
}

async function numbers(stream: FollowedStream, count: number): Promise<readonly unknown[]> {
  const read: unknown[] = [];
  while (read.length < count) {
    const message = await stream.next();
    assert.ok(message !== null, "the stream has ended");
    if (message.data !== undefined) read.push(JSON.parse(message.data).data.n);
  }
  return read;
}

test("a list answers events behind a position, page by page, of the caller alone", async () => {
  await using bench = await eventBench();
  const [kim, lee] = [await bench.addUser("kim@example.org"), await bench.addUser("lee@example.org")];
  await bench.record(order(1, kim), order(2, lee), order(3, kim), { ...order(4, kim), type: "capture.status" });
  const first = await bench.list(kim.token, { limit: 2 });
  assert.equal(first.status, 200, JSON.stringify(first.json));
  assert.deepEqual(
    first.json.results.map(({ data, type, subject }: Record<string, unknown>) => [data, type, subject]),
    [
      [{ n: 1 }, "order.status", "order:1"],
      [{ n: 3 }, "order.status", "order:3"],
    ],
  );
  const { json: second } = await bench.list(kim.token, { after: first.json.cursor });
  assert.deepEqual(
    second.results.map(({ data }: { data: unknown }) => data),
    [{ n: 4 }],
  );
  const { json: third } = await bench.list(kim.token, { after: second.cursor });
  assert.deepEqual(third, { results: [], cursor: second.cursor });
  const { json: captures } = await bench.list(kim.token, { types: ["capture.status"] });
  assert.deepEqual(captures.results, second.results);
  assert.equal((await bench.list(kim.token, { types: ["order"] })).status, 422);
});

test("a stream tells of events as they are committed, and goes on behind the last that was read", async () => {
  await using bench = await eventBench();
  const [kim, lee] = [await bench.addUser("kim@example.org"), await bench.addUser("lee@example.org")];
  await bench.record(order(1, kim));
  let lastId = "";
  {
    await using stream = await bench.follow(kim.token);
    assert.deepEqual(
      [stream.status, stream.headers.get("content-type"), stream.headers.get("cache-control")],
      [200, "text/event-stream; charset=utf-8", "no-store"],
    );
    const opening = await stream.next();
    assert.ok(Number(opening?.id) > 0, "a client that read no event goes on from the start of its stream");
    await bench.record(order(2, lee));
    await bench.record(order(3, kim));
    const message = await stream.next();
    assert.equal(message?.event, "order.status");
    const { json } = await bench.list(kim.token);
    assert.deepEqual(JSON.parse(message.data ?? ""), json.results[1]);
    lastId = message.id ?? "";
  }
  await bench.record(order(4, kim), order(5, kim));
  await using again = await bench.follow(kim.token, "", { "last-event-id": lastId });
  assert.deepEqual(await numbers(again, 2), [4, 5]);
  await using all = await bench.follow(kim.token, "?after=0&types=order.status,capture.status");
  assert.deepEqual(await numbers(all, 4), [1, 3, 4, 5]);
  await using ahead = await bench.follow(kim.token, "?after=1000000");
  await ahead.next();
  await bench.record(order(6, kim));
  assert.deepEqual(await numbers(ahead, 1), [6], "a position of a database that was restored since");
});

test("lists and streams have the events of a subject and of types, and nothing else", async () => {
  await using bench = await eventBench();
  const [kim, lee] = [await bench.addUser("kim@example.org"), await bench.addUser("lee@example.org")];
  await bench.record(order(1, kim), order(2, kim), { ...order(2, kim), type: "capture.status" }, order(2, lee));
  const { json } = await bench.list(kim.token, { subject: "order:2" });
  assert.deepEqual(
    json.results.map(({ subject, type }: Record<string, unknown>) => [subject, type]),
    [
      ["order:2", "order.status"],
      ["order:2", "capture.status"],
    ],
  );
  const both = await bench.list(kim.token, { subject: "order:2", types: ["capture.status"] });
  assert.equal(both.json.results.length, 1);
  const none = await bench.list(kim.token, { subject: "order" });
  assert.deepEqual(none.json, { results: [], cursor: json.cursor }, "a subject is compared as a whole");
  assert.equal((await bench.list(kim.token, { subject: "x".repeat(201) })).status, 422);
  await using stream = await bench.follow(kim.token, "?after=0&types=order.status&subject=order:2");
  assert.deepEqual(await numbers(stream, 1), [2]);
  await bench.record(order(3, kim), { ...order(2, kim), data: { n: 22 } });
  assert.deepEqual(await numbers(stream, 1), [22]);
});

test("a stream that has nothing to tell sends comments", async () => {
  await using bench = await eventBench({ heartbeatMs: 20 });
  const kim = await bench.addUser("kim@example.org");
  await using stream = await bench.follow(kim.token);
  await stream.next();
  assert.deepEqual(await stream.next(), { comment: "nothing new", id: "0" });
});

test("a stream ends when its user is blocked, and says why", async () => {
  await using bench = await eventBench({ heartbeatMs: 20 });
  const kim = await bench.addUser("kim@example.org");
  await using stream = await bench.follow(kim.token);
  await stream.next();
  await sql`update users set blocked = true`.execute(bench.db);
  let message = await stream.next();
  while (message?.comment !== undefined) message = await stream.next();
  assert.equal(message?.event, "end");
  assert.equal(JSON.parse(message.data ?? "").error, "NOT-AUTHORIZED");
  assert.equal(await stream.next(), null);
});

test("a stream ends when the permission is taken, and when the service stops", async () => {
  await using bench = await eventBench();
  const kim = await bench.addUser("kim@example.org");
  await using taken = await bench.follow(kim.token);
  await using stopped = await bench.follow(kim.token, "?types=map.released");
  for (const stream of [taken, stopped]) await stream.next();
  await sql`update groups set permissions = '{events.list}'`.execute(bench.db);
  await bench.record(order(1, kim));
  assert.equal(JSON.parse((await taken.next())?.data ?? "").error, "NOT-AUTHORIZED");
  assert.equal(await taken.next(), null);
  bench.stopping.abort();
  const rest = [];
  for (let message = await stopped.next(); message !== null; message = await stopped.next()) rest.push(message.event);
  assert.ok(rest.every((event) => event === "end"));
});

test("streams of a caller are bounded, and one that ends makes room", async () => {
  await using bench = await eventBench({ traffic: { waitsPerCaller: 2 } });
  const [kim, lee] = [await bench.addUser("kim@example.org"), await bench.addUser("lee@example.org")];
  await using first = await bench.follow(kim.token);
  {
    await using second = await bench.follow(kim.token);
    await second.next();
    await using third = await bench.follow(kim.token);
    assert.deepEqual([first.status, second.status, third.status], [200, 200, 429]);
    await using ofOther = await bench.follow(lee.token);
    assert.equal(ofOther.status, 200);
  }
  let status = 429;
  while (status === 429) {
    await using next = await bench.follow(kim.token);
    status = next.status;
  }
  assert.equal(status, 200);
});

test("streams hold no place of work: a caller with one place has three streams and still asks", async () => {
  await using bench = await eventBench({ traffic: { workPerCaller: 1, queuedPerCaller: 0 } });
  const kim = await bench.addUser("kim@example.org");
  await using stack = new AsyncDisposableStack();
  const streams: FollowedStream[] = [];
  for (let count = 0; count < 3; count += 1) {
    const stream = stack.use(await bench.follow(kim.token));
    assert.equal(stream.status, 200);
    await stream.next();
    streams.push(stream);
  }
  await bench.record(order(1, kim));
  assert.equal((await bench.list(kim.token)).status, 200);
  for (const stream of streams) assert.deepEqual(await numbers(stream, 1), [1]);
});

test("an unknown type, a position that is none and a missing permission are refused", async () => {
  await using bench = await eventBench();
  const kim = await bench.addUser("kim@example.org");
  const lee = await bench.addUser("lee@example.org", ["events.list"]);
  await using type = await bench.follow(kim.token, "?types=order.state");
  await using position = await bench.follow(kim.token, "", { "last-event-id": "x" });
  await using negative = await bench.follow(kim.token, "?after=-1");
  await using right = await bench.follow(lee.token);
  assert.deepEqual([type.status, position.status, negative.status, right.status], [400, 400, 400, 401]);
});
