import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "@swath/base/log/log";
import { placeEvents } from "../../platform/events/place-events.ts";
import { recordEvents } from "../../platform/events/record-event.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createEventFeed } from "./event-feed.ts";

const NEVER = new AbortController().signal;

test("the first look wakes all who follow, later ones those whose events came", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const listeners: (() => void)[] = [];
  using feed = createEventFeed({
    db,
    log: silentLog,
    events: {
      onPlaced(listener) {
        listeners.push(listener);
        return () => {};
      },
    },
  });
  const place = async (userId: string): Promise<void> => {
    const event = { type: "order.status", subject: "order:1", audience: { userId }, data: {} } as const;
    await db.transaction().execute((trx) => recordEvents(trx, [event]));
    await placeEvents(db, NEVER);
    for (const listener of listeners) listener();
  };
  const woken = { kim: 0, lee: 0 };
  const follow = (userId: "kim" | "lee"): Promise<void> =>
    new Promise((resolve) => {
      const stop = feed.onEvents({ userId, groupId: "", organizationId: null }, () => {
        woken[userId] += 1;
        stop();
        resolve();
      });
    });

  // Nobody has looked yet: an event of another user may stand before one of Lee.
  const first = [follow("kim"), follow("lee")];
  await place("kim");
  await Promise.all(first);
  assert.deepEqual(woken, { kim: 1, lee: 1 });

  const [kim, lee] = [follow("kim"), follow("lee")];
  await place("kim");
  await kim;
  assert.deepEqual(woken, { kim: 2, lee: 1 });
  await place("lee");
  await lee;
  assert.deepEqual(woken, { kim: 2, lee: 2 });
});
