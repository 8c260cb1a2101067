import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_TRAFFIC_LIMITS } from "./traffic-limits.ts";
import { createWorkPlaces, enterPlace } from "./work-places.ts";

const never = (): AbortSignal => new AbortController().signal;

test("callers that wait take turns, each in the order of its requests", async () => {
  const places = createWorkPlaces({ ...DEFAULT_TRAFFIC_LIMITS, workPerCaller: 4, workInAll: 2 });
  const held = [await enterPlace(places, "first", never), await enterPlace(places, "first", never)];
  const order: string[] = [];
  const enter = async (caller: string, name: string): Promise<void> => {
    held.push(await enterPlace(places, caller, never));
    order.push(name);
  };
  const alone = enterPlace(places, "second", never);
  const waits = [
    enter("first", "first 1"),
    enter("first", "first 2"),
    enter("first", "first 3"),
    enter("second", "second 1"),
    enter("second", "second 2"),
  ];
  held.push(await alone);
  while (order.length < waits.length) {
    held.shift()?.[Symbol.dispose]();
    // The entry of the one that was waiting is a microtask.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waits);
  assert.deepEqual(
    order.filter((name) => name.startsWith("first")),
    ["first 1", "first 2", "first 3"],
  );
  assert.ok(order.indexOf("second 1") < order.indexOf("first 3"), order.join());
  for (const place of held) place[Symbol.dispose]();
  assert.deepEqual([places.shares.total, places.waiting.size], [0, 0]);
});

test("leaving a place twice leaves one place", async () => {
  const places = createWorkPlaces(DEFAULT_TRAFFIC_LIMITS);
  const [first] = [await enterPlace(places, "a", never), await enterPlace(places, "a", never)];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(places.shares.total, 1);
});
