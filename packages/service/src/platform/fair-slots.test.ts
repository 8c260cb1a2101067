import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { forShare } from "@swath/base/concurrency/current-share";
import { FairSlots } from "./fair-slots.ts";

const OPTIONS = { slots: 2, slotsOfShare: 1, maxWaitingOfShare: 3 };
const NO_SIGNAL = new AbortController().signal;

interface Piece {
  readonly begun: Promise<void>;
  readonly done: Promise<void>;
  readonly end: () => void;
}

/** Starts work that ends when it is told to; `order` has the names of the pieces that began. */
function pieces(slots: FairSlots) {
  const order: string[] = [];
  const start = (share: string, name: string, signal: AbortSignal = NO_SIGNAL): Piece => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const work = async (): Promise<void> => {
      order.push(name);
      begun.resolve();
      await ended.promise;
    };
    return { begun: begun.promise, done: forShare(share, () => slots.run(signal, work)), end: ended.resolve };
  };
  return { order, start };
}

async function finish({ begun, done, end }: Piece): Promise<void> {
  await begun;
  end();
  await done;
}

test("one share leaves a slot free, and keeps the order of its work", async () => {
  const { order, start } = pieces(new FairSlots(OPTIONS));
  const many = ["m1", "m2", "m3"].map((name) => start("many", name));
  const quiet = start("quiet", "q1");
  await Promise.all([many[0]?.begun, quiet.begun]);
  assert.deepEqual(order, ["m1", "q1"]);
  await finish(quiet);
  assert.deepEqual(order, ["m1", "q1"], "the second slot is not for the same share");
  for (const piece of many) await finish(piece);
  assert.deepEqual(order, ["m1", "q1", "m2", "m3"]);
});

test("work beyond the bound of a share is refused, that of others is not", async () => {
  const { order, start } = pieces(new FairSlots(OPTIONS));
  const many = ["m1", "m2", "m3", "m4"].map((name) => start("many", name));
  await assert.rejects(start("many", "m5").done, (error) => {
    assert.ok(error instanceof ServiceError && error.retryAfterS !== null);
    assert.equal(error.code, "TOO-MANY-REQUESTS");
    return true;
  });
  await finish(start("quiet", "q1"));
  for (const piece of many) await finish(piece);
  assert.deepEqual(order, ["m1", "q1", "m2", "m3", "m4"]);
});

test("work that is cancelled while it waits never begins and takes no slot", async () => {
  const { order, start } = pieces(new FairSlots(OPTIONS));
  const first = start("one", "1");
  const control = new AbortController();
  const second = start("one", "2", control.signal);
  control.abort(new Error("gone"));
  await assert.rejects(second.done, /gone/);
  const third = start("one", "3");
  await finish(first);
  await finish(third);
  assert.deepEqual(order, ["1", "3"]);
  await assert.rejects(start("one", "4", control.signal).done, /gone/);
});

test("work that fails leaves its slot", async () => {
  const slots = new FairSlots({ ...OPTIONS, slots: 1 });
  await assert.rejects(
    slots.run(NO_SIGNAL, () => Promise.reject(new Error("broken"))),
    /broken/,
  );
  assert.equal(await slots.run(NO_SIGNAL, () => Promise.resolve(7)), 7);
});
