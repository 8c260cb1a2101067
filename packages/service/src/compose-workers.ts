import type { Log } from "@swath/base/log/log";
import type { CreatedFeatures } from "./feature-kit/create-features.ts";
import type { Config } from "./platform/config/config.ts";
import type { Db } from "./platform/context.ts";
import type { PipelineSignals } from "./platform/queue/pipeline-signals.ts";
import { pipelineHandlers } from "./worker/pipeline-handlers.ts";
import { startWorker, type Worker } from "./worker/worker.ts";

/** Starts a worker for the pipelines of all operations, and one for each pool that a feature declares. */
export function startWorkers(
  { all, contract, handlers }: CreatedFeatures,
  deps: { readonly config: Config; readonly db: Db; readonly signals: PipelineSignals; readonly log: Log },
): readonly Worker[] {
  const { config, ...shared } = deps;
  const limits = all.flatMap(({ pipelines }) => Object.entries(pipelines.limits ?? {}));
  const operations = startWorker({
    ...shared,
    handlers: pipelineHandlers(contract, handlers),
    concurrency: config.pipelineConcurrency,
    kindLimits: new Map(limits),
  });
  const pools = all.flatMap(({ pipelines }) => pipelines.pools ?? []);
  return [operations, ...pools.map((pool) => startWorker({ ...shared, ...pool }))];
}
