import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import * as fc from "fast-check";
import { sql, type Transaction } from "kysely";
import { silentLog } from "@swath/base/log/log";
import type { Db } from "../context.ts";
import { openListening } from "../postgres/listening.ts";
import type { Database } from "../postgres/schema.ts";
import { testDatabase, type TestDatabase } from "../postgres/testing.ts";
import { EVENT_CHANNELS, eventSignals } from "./event-signals.ts";
import { placeEvents } from "./place-events.ts";
import { lastPosition, readEventPage, readEvents, type EventReader } from "./read-events.ts";
import { MAX_EVENT_DATA_BYTES, recordEvent, recordEvents, type NewEvent } from "./record-event.ts";
import { removeExpiredEvents } from "./remove-expired-events.ts";

const NEVER = new AbortController().signal;
const KIM: EventReader = { userId: "kim", groupId: "survey", organizationId: "institute" };

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await testDatabase();
  db = database.db;
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate events cascade`.execute(db);
  await sql`update event_marks set position = 0`.execute(db);
});

function event(n: number, audience: NewEvent["audience"] = { userId: "kim" }): NewEvent {
  return { type: "order.status", subject: `order:${n}`, audience, data: { n } };
}

async function seen(reader: EventReader = KIM, position = 0, limit = 1_000): Promise<readonly unknown[]> {
  return (await readEvents(db, { reader, after: position, types: [], limit })).map(({ data }) => data["n"]);
}

async function record(...events: readonly NewEvent[]): Promise<void> {
  await db.transaction().execute((trx) => recordEvents(trx, events));
}

/** A transaction that stays open until the returned function is called. */
async function openTransaction(work: (trx: Transaction<Database>) => Promise<void>): Promise<() => Promise<void>> {
  const worked = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const ended = db.transaction().execute(async (trx) => {
    await work(trx);
    worked.resolve();
    await commit.promise;
  });
  await worked.promise;
  return async () => {
    commit.resolve();
    await ended;
  };
}

test("an event is there with the change that causes it, and goes with a change that is rolled back", async () => {
  await record(event(1));
  const failed = db.transaction().execute(async (trx) => {
    await recordEvent(trx, event(2));
    throw new Error("the cause failed");
  });
  await assert.rejects(failed, { message: "the cause failed" });
  await placeEvents(db, NEVER);
  assert.deepEqual(await seen(), [1]);
});

test("a reader that has read a later event still reads an earlier one that commits late", async () => {
  const commit = await openTransaction((trx) => recordEvent(trx, event(1)));
  await record(event(2));
  await placeEvents(db, NEVER);
  const first = await readEvents(db, { reader: KIM, after: 0, types: [], limit: 10 });
  assert.deepEqual(
    first.map(({ data }) => data),
    [{ n: 2 }],
  );
  await commit();
  await placeEvents(db, NEVER);
  assert.deepEqual(await seen(KIM, first[0]?.position), [1]);
});

test("a filtered page looks through a bounded number of events and says how far it came", async () => {
  await record(...[1, 2, 3, 4, 5].map((n) => event(n)), event(6, { userId: "lee" }));
  await placeEvents(db, NEVER);
  const query = { reader: KIM, types: [], subject: "order:5", limit: 10 };
  const first = await readEventPage(db, { ...query, after: 0 }, 2);
  assert.deepEqual([first.events, first.isCut], [[], true]);
  const second = await readEventPage(db, { ...query, after: first.reached }, 2);
  assert.ok(second.isCut && second.reached > first.reached);
  const third = await readEventPage(db, { ...query, after: second.reached }, 2);
  assert.deepEqual(
    third.events.map(({ data }) => data),
    [{ n: 5 }],
  );
  assert.deepEqual([third.reached, third.isCut], [await lastPosition(db), false], "the event of others is passed by");
  const full = await readEventPage(db, { reader: KIM, after: 0, types: [], limit: 2 });
  assert.deepEqual([full.events.at(-1)?.position, full.isCut], [full.reached, true]);
});

test("readers that follow concurrent writers and placers see every event once, each subject in its order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 8 }), async (writers) => {
      await sql`truncate events cascade`.execute(db);
      const writing = new AbortController();
      const write = async (count: number, writer: number): Promise<void> => {
        for (let n = 0; n < count; n += 1) {
          await db
            .transaction()
            .execute((trx) => recordEvents(trx, [event(writer * 100 + n), event(writer * 100 + n)]));
        }
      };
      const place = async (): Promise<void> => {
        while (!writing.signal.aborted) await placeEvents(db, NEVER);
      };
      const read: number[] = [];
      let position = await lastPosition(db);
      const follow = async (): Promise<void> => {
        const rows = await readEvents(db, { reader: KIM, after: position, types: [], limit: 3 });
        position = rows.at(-1)?.position ?? position;
        read.push(...rows.map(({ data }) => Number(data["n"])));
        if (!writing.signal.aborted || rows.length > 0) await follow();
      };
      const background = [place(), place(), follow()];
      await Promise.all(writers.map(write));
      await placeEvents(db, NEVER);
      writing.abort();
      await Promise.all(background);
      // The last page may have been read before the last events were placed.
      await follow();
      const expected = writers.map((count, writer) =>
        Array.from({ length: 2 * count }, (_, at) => writer * 100 + Math.floor(at / 2)),
      );
      const byWriter = writers.map((_, writer) => read.filter((n) => Math.floor(n / 100) === writer));
      assert.deepEqual(byWriter, expected);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test("an event is seen by its user, its group and its organisation, once, and by nobody else", async () => {
  await db
    .transaction()
    .execute((trx) =>
      recordEvents(trx, [
        event(1, { userId: "kim" }),
        event(2, { groupId: "survey" }),
        event(3, { organizationId: "institute" }),
        event(4, { userId: "kim", groupId: "survey", organizationId: "institute" }),
        event(5, { userId: "lee", groupId: "" }),
      ]),
    );
  await placeEvents(db, NEVER);
  assert.deepEqual(await seen(), [1, 2, 3, 4]);
  assert.deepEqual(await seen(KIM, 0, 3), [1, 2, 3]);
  assert.deepEqual(await seen({ userId: "lee", groupId: "survey", organizationId: null }), [2, 4, 5]);
  assert.deepEqual(await seen({ userId: "ann", groupId: "", organizationId: null }), []);
});

test("an event for nobody, and one with too much data, are refused", async () => {
  await assert.rejects(record(event(1, { userId: "", organizationId: null })), RangeError);
  const text = "x".repeat(MAX_EVENT_DATA_BYTES - 11);
  await record({ ...event(1), data: { text } });
  await assert.rejects(record({ ...event(1), data: { text: `${text}x` } }), {
    name: "RangeError",
    message: "the event order.status of order:1 has 16385 bytes of data, at most 16384",
  });
});

test("a listener hears of recorded and of placed events after their commit", async () => {
  await using listening = openListening(database.url, EVENT_CHANNELS, silentLog);
  await new Promise<void>((resolve) => void listening.onReconnected(resolve));
  const signals = eventSignals(listening, NEVER);
  const recorded = new Promise<void>((resolve) => void signals.onRecorded(resolve));
  const placed = new Promise<void>((resolve) => void signals.onPlaced(resolve));
  await record(event(1));
  await recorded;
  await placeEvents(db, NEVER);
  await placed;
});

test("events go when they have been kept long enough and webhooks have looked at them, and the others stay", async () => {
  await record(event(1), event(2));
  await placeEvents(db, NEVER);
  await sql`update events set created_at = now() - interval '31 days' where subject = 'order:1'`.execute(db);
  assert.equal(await removeExpiredEvents(db, 30, NEVER), 0);
  await sql`
    update event_marks set position = (select max(position) from events) where name = 'webhooks'`.execute(db);
  assert.equal(await removeExpiredEvents(db, 30, NEVER), 1);
  assert.deepEqual(await seen(), [2]);
});
