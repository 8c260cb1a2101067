import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "@swath/base/log/log";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { recordedEvents } from "../platform/events/testing.ts";
import { acceptPipeline } from "./accept-pipelines.ts";
import { ALICE, BOB, handlersOf, KIND, queueBench, type QueueBench } from "./queue-testing.ts";
import { AtOnceRuns } from "./run-at-once.ts";

const never = new AbortController().signal;

async function told(b: QueueBench, id: string): Promise<readonly unknown[]> {
  const events = await recordedEvents(b.db, `pipeline:${id}`);
  return events.map(({ type, userId, groupId, data }) => [type, userId, groupId, data]);
}

function dataOf(pipelineId: string, status: string, operation = KIND): object {
  return { pipelineId, operation, status };
}

test("each end of a pipeline is one event for its user and their group", async () => {
  await using b = await queueBench();
  b.work(
    handlersOf({
      [KIND]: async (request) => {
        if (request === "fail") throw new ServiceError("EXTENT-TOO-LARGE", "x".repeat(2_000));
        return { result: {} };
      },
    }),
  );
  const resolved = await b.enqueue();
  const failed = await b.enqueue({ request: "fail", caller: BOB });
  const cancelled = await b.enqueue({ kind: "/test/never" });
  await b.queue.waitFor(resolved, never, 10_000);
  await b.queue.waitFor(failed, never, 10_000);
  await b.queue.cancel(cancelled, ALICE);
  await b.queue.cancel(cancelled, ALICE);
  assert.deepEqual(await told(b, resolved), [
    ["pipeline.resolved", "alice", "group of alice", dataOf(resolved, "RESOLVED")],
  ]);
  const fault = { errorCode: "EXTENT-TOO-LARGE", errorMessage: "x".repeat(1_000) };
  assert.deepEqual(await told(b, failed), [
    ["pipeline.failed", "bob", "group of bob", { ...dataOf(failed, "FAILED"), ...fault }],
  ]);
  assert.deepEqual(await told(b, cancelled), [
    ["pipeline.cancelled", "alice", "group of alice", dataOf(cancelled, "CANCELLED", "/test/never")],
  ]);
});

test("a pipeline that has ended before its row is written is an event too", async () => {
  await using b = await queueBench();
  const handlers = handlersOf({ [KIND]: async () => ({ result: { n: 1 } }) });
  const atOnce = new AtOnceRuns({
    db: b.db,
    signals: b.signals,
    handlers,
    log: silentLog,
    concurrency: 4,
    runningPerCaller: 3,
  });
  const job = { kind: KIND, lane: "quick", request: {}, caller: ALICE, baseUrl: "" };
  const { pipelineId } = await acceptPipeline({ atOnce, db: b.db, queue: b.queue }, job, null);
  await b.queue.waitFor(pipelineId, never, 10_000);
  await atOnce.stop(0);
  const events = await recordedEvents(b.db, `pipeline:${pipelineId}`);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["pipeline.resolved"],
  );
});

test("a part of another pipeline, and a pipeline of nobody, are no events", async () => {
  await using b = await queueBench();
  const handlers = handlersOf({ [KIND]: async () => ({ result: {} }) });
  b.work(handlers);
  b.work(handlers, { lane: "parts" });
  const part = await b.enqueue({ lane: "parts" });
  const ofNobody = await b.enqueue({ caller: { ...ALICE, kind: "anonymous", userId: "", groupId: "" } });
  await b.queue.waitFor(part, never, 10_000);
  assert.equal(await b.queue.waitFor(ofNobody, never, 10_000), "RESOLVED");
  assert.deepEqual([...(await told(b, part)), ...(await told(b, ofNobody))], []);
});
