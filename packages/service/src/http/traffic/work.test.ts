import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { countInWork } from "@swath/base/concurrency/requests-in-work";
import { createTraffic } from "./traffic.ts";
import { DEFAULT_TRAFFIC_LIMITS } from "./traffic-limits.ts";
import { beginInTurn } from "./turns.ts";
import { currentShare } from "@swath/base/concurrency/current-share";
import { workOn, workWithoutPlace } from "./work.ts";

test("a request that waits for something to happen holds neither a place nor heavy callers", async () => {
  const traffic = createTraffic(DEFAULT_TRAFFIC_LIMITS);
  const { places, turns } = traffic;
  const held = () => [
    places.shares.held.get("caller") ?? 0,
    countInWork(turns.spaced.light, performance.now(), 60_000),
  ];
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  beginInTurn(turns, { address: "192.0.2.1", authorization: "", isLarge: false }, raw, () => {});
  await workOn(traffic, "caller", { raw } as FastifyReply, async ({ beginWait }) => {
    assert.deepEqual(held(), [1, 1]);
    using wait = beginWait();
    assert.notEqual(wait, null);
    assert.deepEqual(held(), [0, 0]);
  });
});

test("the answer of a heavy caller that was held back waits for its turn", async () => {
  const traffic = createTraffic(DEFAULT_TRAFFIC_LIMITS);
  const { turns } = traffic;
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  beginInTurn(turns, { address: "192.0.2.1", authorization: "", isLarge: false }, raw, () => {});
  turns.callers.heavy = new Set(["192.0.2.1 "]);
  await workOn(traffic, "caller", { raw } as FastifyReply, async ({ beginWait }) => {
    using _ = beginWait();
  });
  assert.equal(countInWork(turns.spaced.heavy, performance.now(), 60_000), 1);
});

async function laterShare(): Promise<string> {
  await nextTurn();
  return currentShare();
}

test("all that works on a request takes the turns of its share, with a place and without", async () => {
  const traffic = createTraffic(DEFAULT_TRAFFIC_LIMITS);
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  assert.equal(await workOn(traffic, "one caller", { raw } as FastifyReply, laterShare), "one caller");
  assert.equal(await workWithoutPlace(traffic, "another", laterShare), "another");
  assert.equal(await laterShare(), "");
});
