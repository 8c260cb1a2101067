import type { Log } from "@swath/base/log/log";
import type { CreatedFeatures } from "./feature-kit/create-features.ts";
import type { Config } from "./platform/config/config.ts";
import type { StorageWatch } from "./platform/storage/storage-watch.ts";
import type { Db } from "./platform/context.ts";
import type { PipelineSignals } from "./platform/queue/pipeline-signals.ts";
import type { RecentEnds } from "./platform/queue/recent-ends.ts";
import { operationHandlers, operationLanes } from "./worker/operation-handlers.ts";
import type { AloneStart } from "./worker/run-alone.ts";
import { AtOnceRuns } from "./worker/run-at-once.ts";
import { SpareTime } from "./worker/spare-time.ts";
import { startWorker, type Worker } from "./worker/worker.ts";

interface Shared {
  readonly config: Config;
  readonly db: Db;
  readonly signals: PipelineSignals;
  readonly log: Log;
}

interface WorkerDeps extends Shared {
  readonly startAlone: AloneStart | null;
  readonly storage: StorageWatch;
}

/**
 * Starts a worker for each lane of operations, and one for each lane that a feature declares. A process that answers
 * requests alone has one for the quick lane: its callers need no other process when a quick pipeline has to wait.
 */
export function startWorkers({ all, contract, handlers }: CreatedFeatures, deps: WorkerDeps): readonly Worker[] {
  const { config, startAlone, ...shared } = deps;
  const limits = new Map(all.flatMap(({ pipelines }) => Object.entries(pipelines.limits ?? {})));
  const alone = startAlone === null ? {} : { startAlone };
  const answers = config.roles.api ? { spareTime: new SpareTime() } : {};
  const lanes = config.roles.worker ? operationLanes : (["quick"] as const);
  const operations = lanes.map((lane) => {
    const concurrency = placesOf(lane, config);
    return startWorker({
      ...shared,
      ...alone,
      ...(lane === "heavy" ? answers : {}),
      lane,
      storageNeed: lane === "quick" ? "rows" : "files",
      handlers: operationHandlers(contract, handlers, lane),
      concurrency,
      runningPerCaller: placesPerCaller(concurrency, config),
      runningInAll: config.runningPerCaller,
      kindLimits: limits,
    });
  });
  const pools = config.roles.worker ? all.flatMap(({ pipelines }) => pipelines.pools ?? []) : [];
  return [...operations, ...pools.map((pool) => startWorker({ ...shared, ...alone, ...pool }))];
}

/** The runs of quick pipelines in the process that accepts them. */
export function startAtOnceRuns(
  { contract, handlers }: CreatedFeatures,
  { config, ...shared }: Shared & { readonly recent: RecentEnds },
): AtOnceRuns {
  const concurrency = placesOf("quick", config);
  return new AtOnceRuns({
    ...shared,
    handlers: operationHandlers(contract, handlers, "quick"),
    concurrency,
    runningPerCaller: placesPerCaller(concurrency, config),
  });
}

function placesOf(lane: (typeof operationLanes)[number], config: Config): number {
  return { heavy: config.pipelineConcurrency, quick: config.quickPipelineConcurrency }[lane];
}

function placesPerCaller(places: number, { callerSharePercent }: Config): number {
  return Math.max(1, Math.floor((places * callerSharePercent) / 100));
}
