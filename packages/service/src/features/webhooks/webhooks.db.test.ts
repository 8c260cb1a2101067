import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { MAX_WEBHOOKS_PER_USER } from "@swath/contract/features/webhooks/contract";
import type { Caller } from "../../platform/context.ts";
import { removeExpiredEvents } from "../../platform/events/remove-expired-events.ts";
import { recordedEvents } from "../../platform/events/testing.ts";
import type { NewEvent } from "../../platform/events/record-event.ts";
import { listDeliveries, replay } from "./deliveries.ts";
import { verified } from "./receiver-testing.ts";
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
  testWebhook,
} from "./service.ts";
import { webhookBench, type WebhookBench } from "./testing.ts";

function event(subject: string, n: number, { userId }: Pick<Caller, "userId">): NewEvent {
  return { type: "order.status", subject, audience: { userId }, data: { n } };
}

async function hook(bench: WebhookBench, caller: Caller, more: { readonly url?: string; readonly types?: [] } = {}) {
  return await createWebhook(bench.deps, { caller, requestId: "r" }, { url: `${bench.receiver.origin}/hook`, ...more });
}

const numbersOf = ({ receiver }: WebhookBench): readonly unknown[] => receiver.received.map(({ body }) => body.data.n);

test("an event is posted once, signed with the secret that the creation answered", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id, secret } = await hook(bench, kim);
  await bench.record(event("order:1", 1, kim));
  await bench.deliver();
  await bench.deliver();
  const [received, ...others] = bench.receiver.received;
  assert.ok(received !== undefined && others.length === 0);
  assert.deepEqual(verified(received, secret), { count: 1, ok: true });
  const { type, subject, data, timestamp } = received.body;
  assert.deepEqual([type, subject, data], ["order.status", "order:1", { n: 1 }]);
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 600_000);
  assert.equal(received.headers["content-type"], "application/json");
  const { results } = await listDeliveries(bench.db, kim, { id });
  assert.deepEqual(
    results.map(({ eventId, status, attempts, log }) => [eventId, status, attempts, log.map((one) => one.status)]),
    [[received.id, "delivered", 1, [204]]],
  );
  assert.equal((await findWebhook(bench.db, kim, id)).pending, 0);
});

test("a webhook gets the events that its owner may see, of its types, from its creation on", async () => {
  await using bench = await webhookBench();
  const [kim, lee] = [await bench.addUser("kim", "survey"), await bench.addUser("lee", "others")];
  await bench.record(event("order:1", 0, kim));
  await hook(bench, kim);
  const ofType = await createWebhook(
    bench.deps,
    { caller: kim, requestId: "r" },
    { url: `${bench.receiver.origin}/scenes`, types: ["scene.ingested"] },
  );
  await bench.record(
    event("order:1", 1, kim),
    event("order:2", 2, lee),
    { type: "scene.ingested", subject: "scene:1", audience: { groupId: "survey" }, data: { n: 3 } },
    { type: "scene.ingested", subject: "scene:2", audience: { groupId: "others" }, data: { n: 4 } },
  );
  await bench.deliver();
  const got = bench.receiver.received.map(({ path, body }) => `${path} ${body.data.n}`).toSorted();
  assert.deepEqual(got, ["/hook 1", "/hook 3", "/scenes 3"]);
  await changeWebhook(bench.deps, { caller: kim, requestId: "r" }, { id: ofType.id, enabled: false });
  await sql`update users set blocked = true`.execute(bench.db);
  await bench.record({ type: "scene.ingested", subject: "scene:3", audience: { groupId: "survey" }, data: { n: 5 } });
  await bench.deliver();
  assert.equal(bench.receiver.received.length, 3, "nothing for a blocked user");
});

test("a failing event holds the later ones of its subject and no other", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  await hook(bench, kim);
  bench.receiver.answer = ({ body }) => (body.data.n === 1 ? 500 : 200);
  await bench.record(event("a", 1, kim), event("a", 2, kim), event("b", 3, kim));
  await bench.deliver();
  await bench.record(event("a", 4, kim), event("b", 5, kim));
  await bench.deliver();
  assert.deepEqual(new Set(numbersOf(bench)), new Set([1, 3, 5]));
  assert.equal(bench.receiver.received.length, 3);
  await bench.passPauses();
  await bench.deliver();
  assert.equal(bench.receiver.received.length, 4, "one more attempt of the first, and nothing behind it");
  bench.receiver.answer = () => 200;
  await bench.passPauses();
  await bench.deliver();
  const ofSubject = bench.receiver.received.filter(({ body }) => body.subject === "a").map(({ body }) => body.data.n);
  assert.deepEqual(ofSubject, [1, 1, 1, 2, 4]);
  const ids = bench.receiver.received.filter(({ body }) => body.data.n === 1).map(({ id }) => id);
  assert.equal(new Set(ids).size, 1, "every attempt has the same id");
});

test("attempts follow the schedule of Standard Webhooks, and the last failure ends the delivery", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id } = await hook(bench, kim);
  bench.receiver.answer = () => 503;
  await bench.record(event("a", 1, kim), event("a", 2, kim));
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await bench.deliver();
    const { rows } = await sql<{ pause: number }>`
      select round(extract(epoch from due_at - updated_at))::int as pause from webhook_deliveries
      where attempts = ${attempt}`.execute(bench.db);
    pauses.push(rows[0]?.pause ?? -1);
    await bench.passPauses();
  }
  assert.deepEqual(pauses, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 0]);
  const { results } = await listDeliveries(bench.db, kim, { id, status: "failed" });
  assert.deepEqual(
    results.map(({ attempts, nextAttemptAt, log }) => [attempts, nextAttemptAt, log.length, log[0]?.error]),
    [[10, null, 10, "the receiver answered 503"]],
  );
  bench.receiver.answer = () => 200;
  await bench.deliver();
  assert.equal(numbersOf(bench).at(-1), 2, "the next event of the subject follows");
  assert.equal((await findWebhook(bench.db, kim, id)).enabled, true, "it has not failed for long");
});

test("a webhook that has failed for long is disabled with an event, and a gone one at once", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id } = await hook(bench, kim);
  bench.receiver.answer = () => 500;
  await bench.record(event("a", 1, kim));
  await bench.deliver();
  await sql`update webhooks set failing_since = now() - interval '73 hours'`.execute(bench.db);
  await sql`update webhook_deliveries set attempts = 9, due_at = now()`.execute(bench.db);
  await bench.deliver();
  const disabled = await findWebhook(bench.db, kim, id);
  assert.equal(disabled.enabled, false);
  assert.match(disabled.disabledReason ?? "", /^nothing was delivered since .*; last: the receiver answered 500$/);
  const [told] = await recordedEvents(bench.db, "webhook.disabled");
  assert.deepEqual([told?.userId, told?.data["webhookId"]], ["kim", id]);
  await changeWebhook(bench.deps, { caller: kim, requestId: "r" }, { id, enabled: true });
  bench.receiver.answer = () => 410;
  await bench.record(event("a", 2, kim));
  await bench.deliver();
  const gone = await findWebhook(bench.db, kim, id);
  assert.match(gone.disabledReason ?? "", /410/);
  const count = bench.receiver.received.length;
  await bench.passPauses();
  await bench.deliver();
  assert.equal(bench.receiver.received.length, count, "a disabled webhook gets nothing");
  await changeWebhook(bench.deps, { caller: kim, requestId: "r" }, { id, enabled: true });
  bench.receiver.answer = () => 200;
  await bench.deliver();
  assert.ok(numbersOf(bench).slice(count).includes(2), "what waited is delivered when it is enabled");
});

test("during a rotation both secrets sign, after it the new one alone", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id, secret: former } = await hook(bench, kim);
  const { secret } = await rotateWebhook(bench.deps, { caller: kim, requestId: "r" }, { id });
  assert.notEqual(secret, former);
  await bench.record(event("a", 1, kim));
  await bench.deliver();
  await sql`update webhooks set previous_until = now()`.execute(bench.db);
  await bench.record(event("a", 2, kim));
  await bench.deliver();
  const [during, after] = bench.receiver.received;
  assert.ok(during !== undefined && after !== undefined);
  assert.deepEqual(
    [verified(during, secret), verified(during, former)],
    [
      { count: 2, ok: true },
      { count: 2, ok: true },
    ],
  );
  assert.deepEqual(
    [verified(after, secret), verified(after, former)],
    [
      { count: 1, ok: true },
      { count: 1, ok: false },
    ],
  );
});

test("a redirect is not followed, and a name of a private address is refused where it is connected to", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id } = await hook(bench, kim);
  const named = await createWebhook(bench.deps, { caller: kim, requestId: "r" }, { url: "https://localhost:1/" });
  bench.receiver.answer = () => 307;
  await bench.record(event("a", 1, kim));
  await bench.deliver();
  assert.deepEqual(
    bench.receiver.received.map(({ path }) => path),
    ["/hook"],
  );
  const [redirected] = (await listDeliveries(bench.db, kim, { id })).results;
  assert.deepEqual([redirected?.status, redirected?.log[0]?.status], ["pending", 307]);
  const [refused] = (await listDeliveries(bench.db, kim, { id: named.id })).results;
  assert.match(
    refused?.log[0]?.error ?? "",
    /localhost is at (127\.0\.0\.1|::1), an address that is not of the public/,
  );
  for (const url of ["https://10.0.0.1/", "http://hooks.example.org/", "https://[::1]/"]) {
    await assert.rejects(createWebhook(bench.deps, { caller: kim, requestId: "r" }, { url }), {
      code: "VALIDATION-ERROR",
    });
    await assert.rejects(changeWebhook(bench.deps, { caller: kim, requestId: "r" }, { id, url }), {
      code: "VALIDATION-ERROR",
    });
  }
});

test("receivers that do not answer delay nobody else", async () => {
  await using bench = await webhookBench({ limits: { turns: 4, turnsPerOwner: 2 }, timeoutMs: 60_000 });
  const [slow, quick] = [await bench.addUser("slow"), await bench.addUser("quick")];
  for (let n = 0; n < 4; n += 1) await hook(bench, slow, { url: `${bench.receiver.origin}/slow` });
  await hook(bench, quick);
  const held = Promise.withResolvers<number>();
  const arrived = Promise.withResolvers<void>();
  bench.receiver.answer = ({ path }) => {
    if (path === "/slow") return held.promise;
    arrived.resolve();
    return 200;
  };
  await bench.record(...Array.from({ length: 50 }, (_, n) => event(`s${n}`, n, slow)));
  await bench.record(event("q", 0, quick));
  const delivered = bench.deliver();
  await arrived.promise;
  const open = bench.receiver.received.filter(({ path }) => path === "/slow").length;
  assert.ok(open <= 8, `${open} requests to two webhooks of one owner`);
  held.resolve(200);
  await delivered;
});

test("an answer that does not come in time is a failure, noted with its time", async () => {
  await using bench = await webhookBench({ timeoutMs: 50 });
  const kim = await bench.addUser("kim");
  const { id } = await hook(bench, kim);
  bench.receiver.answer = () => new Promise(() => {});
  await bench.record(event("a", 1, kim));
  await bench.deliver();
  const [delivery] = (await listDeliveries(bench.db, kim, { id })).results;
  assert.deepEqual([delivery?.status, delivery?.log[0]?.error], ["pending", "no answer within 50 ms"]);
  assert.ok((delivery?.log[0]?.durationMs ?? 0) >= 45);
  assert.notEqual((await findWebhook(bench.db, kim, id)).failingSince, null);
});

test("one event, or all of a time, are sent again in their order", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id } = await hook(bench, kim);
  await bench.record(event("a", 1, kim), event("a", 2, kim), event("a", 3, kim));
  await bench.deliver();
  const page = await listDeliveries(bench.db, kim, { id, limit: 2 });
  assert.equal(page.results.length, 2);
  const rest = await listDeliveries(bench.db, kim, { id, limit: 2, cursor: page.cursor ?? "" });
  const [newest] = page.results;
  const [oldest] = rest.results;
  assert.ok(newest !== undefined && oldest !== undefined && rest.cursor === null);
  assert.deepEqual(await replay(bench.db, kim, { id, eventId: oldest.eventId }), { replayed: 1 });
  await bench.deliver();
  assert.deepEqual(numbersOf(bench), [1, 2, 3, 1]);
  assert.deepEqual(await replay(bench.db, kim, { id, from: oldest.createdAt }), { replayed: 3 });
  await bench.deliver();
  assert.deepEqual(numbersOf(bench), [1, 2, 3, 1, 1, 2, 3]);
  assert.deepEqual(await replay(bench.db, kim, { id, from: "2099-01-01T00:00:00Z" }), { replayed: 0 });
  await assert.rejects(replay(bench.db, kim, { id }), { code: "VALIDATION-ERROR" });
  await assert.rejects(replay(bench.db, kim, { id, from: "yesterday noon" }), { code: "VALIDATION-ERROR" });
});

test("a test event goes to the webhook that is tested alone, whatever its types", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  await hook(bench, kim);
  const { id } = await createWebhook(
    bench.deps,
    { caller: kim, requestId: "r" },
    { url: `${bench.receiver.origin}/tested`, types: ["map.released"] },
  );
  await testWebhook(bench.deps, kim, { id });
  await bench.deliver();
  assert.deepEqual(
    bench.receiver.received.map(({ path, body }) => [path, body.type, body.data]),
    [["/tested", "webhook.test", { webhookId: id }]],
  );
});

test("webhooks of another user do not exist, a user has a bounded number, and a deleted one is gone", async () => {
  await using bench = await webhookBench();
  const [kim, lee] = [await bench.addUser("kim"), await bench.addUser("lee")];
  const { id } = await hook(bench, kim);
  const asking = { caller: lee, requestId: "r" };
  const refused = { code: "NON-EXISTENT-WEBHOOK" };
  await assert.rejects(changeWebhook(bench.deps, asking, { id, enabled: false }), refused);
  await assert.rejects(rotateWebhook(bench.deps, asking, { id }), refused);
  await assert.rejects(testWebhook(bench.deps, lee, { id }), refused);
  await assert.rejects(listDeliveries(bench.db, lee, { id }), refused);
  await assert.rejects(replay(bench.db, lee, { id, from: "2020-01-01" }), refused);
  await assert.rejects(removeWebhook(bench.deps, asking, { id }), refused);
  assert.deepEqual(await listWebhooks(bench.db, lee), { results: [] });
  const created = await Promise.allSettled(Array.from({ length: MAX_WEBHOOKS_PER_USER + 1 }, () => hook(bench, kim)));
  assert.equal(created.filter(({ status }) => status === "fulfilled").length, MAX_WEBHOOKS_PER_USER - 1);
  await removeWebhook(bench.deps, { caller: kim, requestId: "r" }, { id });
  assert.equal((await listWebhooks(bench.db, kim)).results.length, MAX_WEBHOOKS_PER_USER - 1);
});

test("an event that has been kept long enough stays until it is delivered, unless its webhook is disabled", async () => {
  await using bench = await webhookBench();
  const kim = await bench.addUser("kim");
  const { id } = await hook(bench, kim);
  const expire = async (): Promise<number> => {
    await sql`update events set created_at = now() - interval '31 days'`.execute(bench.db);
    return await removeExpiredEvents(bench.db, 30, new AbortController().signal);
  };
  bench.receiver.answer = () => 500;
  await bench.record(event("order:1", 1, kim));
  await bench.deliver();
  assert.equal(await expire(), 0);
  bench.receiver.answer = () => 204;
  await bench.passPauses();
  await bench.deliver();
  assert.deepEqual(numbersOf(bench), [1, 1]);
  assert.equal(await expire(), 1);

  bench.receiver.answer = () => 500;
  await bench.record(event("order:2", 2, kim));
  await bench.deliver();
  await changeWebhook(bench.deps, { caller: kim, requestId: "r" }, { id, enabled: false });
  assert.equal(await expire(), 1);
});
