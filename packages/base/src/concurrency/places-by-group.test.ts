import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlacesByGroup } from "./places-by-group.ts";

const NEVER = new AbortController().signal;

test("a group whose work hangs keeps its places, and other groups have places of their own", async () => {
  let freed = 0;
  const places = createPlacesByGroup({ perGroup: 2, onFree: () => void (freed += 1) });
  const asked: (readonly [string, number])[] = [];
  const hanging = Promise.withResolvers<void>();
  const work = {
    claim(group: string, free: number) {
      asked.push([group, free]);
      return Promise.resolve(Array.from({ length: free }, () => group));
    },
    run: (group: string) => (group === "slow" ? hanging.promise : Promise.resolve()),
  };
  const [first, second, ...quick] = await places.start(["slow", "quick"], work, NEVER);
  assert.ok(first !== undefined && second !== undefined);
  await Promise.all(quick);
  await Promise.all((await places.start(["slow", "quick"], work, NEVER)).slice(0));
  assert.deepEqual(asked, [
    ["slow", 2],
    ["quick", 2],
    ["quick", 2],
  ]);
  assert.equal(freed, 4);
  hanging.resolve();
  await places[Symbol.asyncDispose]();
  assert.equal(freed, 6);
  assert.deepEqual(await places.start(["quick"], work, NEVER), []);
});
