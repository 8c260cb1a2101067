import { silentLog } from "@swath/base/log/log";
import type { Caller, Db, PipelineHandler, PipelineHandlers } from "../platform/context.ts";
import { testDatabase } from "../platform/postgres/testing.ts";
import { DEFAULT_QUEUE_LIMITS, type QueueLimits } from "../platform/queue/lane.ts";
import { createPipelineService, type EnqueueInput, type PipelineService } from "../platform/queue/pipeline-service.ts";
import { openPipelineSignals, type PipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export const KIND = "/test/work";

export function user(userId: string, groupId = `group of ${userId}`): Caller {
  return { kind: "user", userId, groupId, email: `${userId}@example.org`, permissions: new Set() };
}

export const ALICE = user("alice");
export const BOB = user("bob");

export function handlersOf(runs: Readonly<Record<string, PipelineHandler<unknown, unknown>["run"]>>): PipelineHandlers {
  return new Map(Object.entries(runs).map(([kind, run]) => [kind, { run }]));
}

/** A queue on a real database, and the workers that a test starts. */
export interface QueueBench extends AsyncDisposable {
  readonly db: Db;
  readonly url: string;
  readonly signals: PipelineSignals;
  readonly queue: PipelineService;
  /** Enqueues a pipeline, of Alice in the heavy lane unless given; its id. */
  enqueue(input?: Partial<EnqueueInput>): Promise<string>;
  work(handlers: PipelineHandlers, options?: Partial<WorkerOptions>): Worker;
}

export async function queueBench(limits: Partial<QueueLimits> = {}): Promise<QueueBench> {
  await using stack = new AsyncDisposableStack();
  const { db, url } = stack.use(await testDatabase());
  const signals = stack.use(openPipelineSignals(url, silentLog));
  const queue = createPipelineService({
    db,
    signals,
    retentionDays: 30,
    limits: { ...DEFAULT_QUEUE_LIMITS, ...limits },
  });
  const owned = stack.move();
  return {
    db,
    url,
    signals,
    queue,
    async enqueue(input = {}) {
      const whole = { kind: KIND, lane: "heavy", request: {}, caller: ALICE, baseUrl: "", ...input };
      return (await queue.enqueue(db, whole)).pipelineId;
    },
    work(handlers, options = {}) {
      const worker = startWorker({ db, signals, lane: "heavy", handlers, log: silentLog, concurrency: 4, ...options });
      owned.defer(() => worker.stop(0));
      return worker;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
