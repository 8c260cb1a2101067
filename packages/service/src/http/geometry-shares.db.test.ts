import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import type { FeatureContract } from "@swath/contract/kit/contract";
import { defineOperation } from "@swath/contract/kit/operation";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Handlers } from "../platform/context.ts";
import { createAreas, type Areas } from "../platform/geometry/areas.ts";
import { spikes } from "../platform/geometry/hostile-areas-testing.ts";
import { DEFAULT_HTTP_CONFIG } from "./http-config.ts";
import { RequestAbortedError } from "./request-aborted-error.ts";
import { createHttpServer } from "./server.ts";
import { testServer } from "./testing.ts";
import { ampleStorage } from "../platform/storage/testing.ts";

const stars = {
  overlay: defineOperation({
    path: "/stars/overlay",
    summary: "Overlays two stars",
    request: Type.Object({ vertices: Type.Integer() }),
    response: Type.Object({ polygons: Type.Integer() }),
  }),
} as const satisfies FeatureContract;

function star(vertices: number, lon: number): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [[spikes(vertices, [lon, 50], [1, 0.02])]] };
}

interface Seen {
  readonly started: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<unknown>;
}

function handlersOf(areas: Areas, seen: Seen): { readonly stars: Handlers<typeof stars> } {
  return {
    stars: {
      overlay: async ({ vertices }, { signal }) => {
        if (vertices < 1000)
          return {
            polygons: (await areas.intersection(star(vertices, 10), star(vertices, 10.01), signal)).coordinates.length,
          };
        const overlay = areas.intersection(star(vertices, 10), star(vertices, 10.01), signal);
        seen.started.resolve();
        overlay.catch((error: unknown) => seen.ended.resolve(error));
        return { polygons: (await overlay).coordinates.length };
      },
    },
  };
}

test("a client that goes away frees its thread, and many slow ones do not refuse another user", async () => {
  await using world = await testServer();
  await using areas = createAreas({ threads: 1, timeoutMs: 600_000, maxWaitingOfShare: 2 });
  const seen: Seen = { started: Promise.withResolvers(), ended: Promise.withResolvers() };
  await using server = await createHttpServer({
    contract: { stars },
    handlers: handlersOf(areas, seen),
    db: world.database.db,
    identity: world.identity,
    storage: ampleStorage(),
    pipelines: { accept: () => Promise.reject(new Error("none")), retrieve: () => Promise.reject(new Error("none")) },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null },
    clock: systemClock,
    log: silentLog,
  });
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  const { token: busy } = await world.addUser("busy@example.org", []);
  const { token: quiet } = await world.addUser("quiet@example.org", []);
  const ask = (token: string, vertices: number, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${address}/stars/overlay`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ vertices }),
      signal,
    });
  const gone = new AbortController();
  const slow = ask(busy, 9000, gone.signal);
  await seen.started.promise;
  const waiting = [ask(busy, 150, gone.signal), ask(busy, 150, gone.signal), ask(busy, 150), ask(busy, 150)];
  const all = Promise.allSettled(waiting);
  const refused = await Promise.race(waiting.slice(2));
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "2");
  const other = ask(quiet, 150);
  gone.abort();
  await assert.rejects(slow);
  assert.ok((await seen.ended.promise) instanceof RequestAbortedError);
  assert.equal((await other).status, 200);
  await all;
  assert.equal((await ask(busy, 150)).status, 200, "the places of its requests are free again");
});
