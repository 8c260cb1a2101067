import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import Fastify from "fastify";
import { looksBesideLight } from "@swath/base/concurrency/light-requests-testing";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { acceptJsonBodies } from "./body-parsers.ts";

/** Positions that make a body of about two megabytes. */
const MANY = Array.from({ length: 100_000 }, (_, i) => [i / 7, 50]);

/** Sends a body; the value that the handler gets, the refusal, and the turns of others meanwhile. */
async function send(
  text: string,
): Promise<{ readonly value: unknown; readonly error: string; readonly turns: number }> {
  const app = Fastify({ bodyLimit: 64 * 1024 * 1024 });
  acceptJsonBodies(app);
  let value: unknown;
  app.post("/", async ({ body }) => {
    value = body;
    return {};
  });
  let error = "";
  app.setErrorHandler(async (thrown, _request, reply) => {
    error = thrown instanceof ServiceError ? thrown.message : String(thrown);
    await reply.code(400).send();
  });
  const answer = app.inject({
    method: "POST",
    url: "/",
    headers: { "content-type": "application/json" },
    payload: text,
  });
  const isOver = answer.then(() => true);
  let turns = 0;
  while (!(await Promise.race([isOver, nextTurn(false)]))) turns += 1;
  return { value, error, turns };
}

test("a large body is the value of JSON.parse, and gives way to others while it is parsed", async () => {
  const small = await send('{"extent":[[1,2]]}');
  assert.deepEqual(small.value, { extent: [[1, 2]] });
  const text = JSON.stringify({ type: "Polygon", coordinates: [MANY, MANY, MANY, MANY] });
  const large = await send(text);
  assert.deepEqual(large.value, JSON.parse(text));
  assert.ok(large.turns > small.turns + 3, `others had ${large.turns} turns, ${small.turns} with a small body`);
});

test("a large body waits for light requests, a small one does not", async () => {
  assert.equal(await looksBesideLight(() => send('{"extent":[[1,2]]}')), 0);
  assert.ok((await looksBesideLight(() => send(JSON.stringify({ extent: MANY })))) > 0);
});

test("a large body is refused as a small one: for its form, its depth and its texts", async () => {
  const tail = JSON.stringify(MANY);
  const deep = `${"[".repeat(65)}1${"]".repeat(65)}`;
  for (const [bad, message] of [
    ["[1", /^The body is not JSON/],
    [deep, /^The body is nested deeper than 64 levels/],
    ['{"name":"\\u0000"}', /^A text of the body holds U\+0000/],
    ['{"\\ud800":[1,2]}', /^A text of the body holds U\+0000 or half a surrogate pair/],
  ] as const) {
    for (const text of [bad, `[${tail},${bad}]`, `[${bad},${tail}]`]) {
      const { value, error } = await send(text);
      assert.match(error, message, text.slice(0, 40));
      assert.equal(value, undefined);
    }
  }
  const long = { name: "x".repeat(300_000) };
  assert.deepEqual((await send(JSON.stringify(long))).value, long);
  assert.equal((await send(JSON.stringify(long.name))).value, long.name);
});
