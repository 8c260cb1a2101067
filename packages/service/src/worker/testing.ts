import { silentLog } from "@swath/base/log/log";
import type { FeatureContract } from "@swath/contract/kit/contract";
import type { Db } from "../platform/context.ts";
import type { PipelineService } from "../platform/queue/pipeline-service.ts";
import type { PipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { acceptPipeline } from "./accept-pipelines.ts";
import { operationHandlers, operationLanes } from "./operation-handlers.ts";
import { AtOnceRuns } from "./run-at-once.ts";
import { startWorker } from "./worker.ts";

export interface TestWorkersDeps {
  readonly db: Db;
  readonly signals: PipelineSignals;
  readonly queue: PipelineService;
  readonly contract: Readonly<Record<string, FeatureContract>>;
  readonly handlers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Places of each lane. */
  readonly concurrency: number;
}

/** Accepts and runs the pipelines of operations as the service does, in all lanes. */
export function testWorkers({ concurrency, contract, db, handlers, queue, signals }: TestWorkersDeps) {
  const shared = { db, signals, log: silentLog, concurrency };
  const atOnce = new AtOnceRuns({
    ...shared,
    handlers: operationHandlers(contract, handlers, "quick"),
    runningPerCaller: concurrency,
  });
  const workers = operationLanes.map((lane) =>
    startWorker({ ...shared, lane, handlers: operationHandlers(contract, handlers, lane) }),
  );
  return {
    gate: {
      accept: (job: Parameters<typeof acceptPipeline>[1], admit: Parameters<typeof acceptPipeline>[2]) =>
        acceptPipeline({ atOnce, db, queue }, job, admit),
      retrieve: (query: Parameters<PipelineService["retrieve"]>[0]) => queue.retrieve(query),
    },
    async stop(): Promise<void> {
      await Promise.all([...workers, atOnce].map((one) => one.stop(0)));
    },
  };
}
