import assert from "node:assert/strict";
import { test } from "node:test";
import { eventBench, type Account, type EventBench } from "../../service/src/features/events/testing.ts";
import { createClient } from "./client.ts";
import type { Fetch } from "./transport.ts";

async function record(bench: EventBench, { caller }: Account, ...numbers: readonly number[]): Promise<void> {
  const audience = { userId: caller.userId };
  await bench.record(
    ...numbers.map((n) => ({ type: "order.status", subject: "order:1", audience, data: { n } }) as const),
  );
}

/** Fetches whose first streams break after so many bytes. */
function breaking(...bytes: readonly number[]): Fetch {
  const left = [...bytes];
  return async (url, init) => {
    const answer = await fetch(url, init);
    const limit = left.shift();
    if (limit === undefined || answer.body === null) return answer;
    let passed = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, limit - passed));
        passed += chunk.length;
        if (passed >= limit) controller.error(new Error("the connection broke"));
      },
    });
    return new Response(answer.body.pipeThrough(cut), { status: answer.status, headers: answer.headers });
  };
}

test("a client follows events over broken connections and misses none", async () => {
  await using bench = await eventBench();
  const kim = await bench.addUser("kim@example.org");
  await record(bench, kim, 1, 2);
  // The first breaks within its opening, the second within an event.
  const client = createClient({ baseUrl: bench.url, token: kim.token, fetch: breaking(5, 400) });
  const ending = new AbortController();
  const got: unknown[] = [];
  for await (const event of client.events({ after: 0, types: ["order.status"], signal: ending.signal })) {
    got.push(event.data["n"]);
    if (got.length === 2) await record(bench, kim, 3);
    if (got.length === 3) ending.abort();
  }
  assert.deepEqual(got, [1, 2, 3]);
});

test("a refusal is an error, and leaving the loop ends the stream", async () => {
  await using bench = await eventBench({ traffic: { waitsPerCaller: 1 } });
  const [kim, lee] = [await bench.addUser("kim@example.org"), await bench.addUser("lee@example.org", ["geojson"])];
  const refused = createClient({ baseUrl: bench.url, token: lee.token }).events();
  await assert.rejects(refused.next(), { name: "ApiError", code: "NOT-AUTHORIZED" });
  await record(bench, kim, 1);
  const client = createClient({ baseUrl: bench.url, token: kim.token });
  for (let round = 0; round < 2; round += 1) {
    // A stream that stayed open would take the only place of the caller.
    for await (const event of client.events({ after: 0 })) {
      assert.deepEqual(event.data, { n: 1 });
      break;
    }
  }
});
