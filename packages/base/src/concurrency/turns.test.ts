import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test("work on the same key runs in the order it came, work on others at once", async () => {
  const turns = createTurns();
  const log: string[] = [];
  const first = gate();
  const a = turns.take(["x"], async () => {
    await first.opened;
    log.push("a");
  });
  const b = turns.take(["x", "y"], async () => void log.push("b"));
  const c = turns.take(["y"], async () => void log.push("c"));
  await turns.take(["z"], async () => void log.push("z"));
  first.open();
  await Promise.all([a, b, c]);
  assert.deepEqual(log, ["z", "a", "b", "c"]);
});

test("keys named in any order and failing work hold nobody up", async () => {
  const turns = createTurns();
  const failing = turns.take(["x", "y"], () => Promise.reject(new Error("no")));
  const crossed = turns.take(["y", "x"], async () => "done");
  await assert.rejects(failing, /no/u);
  assert.equal(await crossed, "done");
  assert.equal(await turns.take(["x", "x"], async () => "again"), "again");
});
