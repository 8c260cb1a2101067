import { Worker } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { failureError } from "@swath/base/threads/thread-failure";
import type { InstalledModel, ModelLimits } from "../models/runtime/installed-model.ts";
import { ModelVersions } from "../models/runtime/model-versions.ts";
import type {
  AnalysisOutcome,
  AnalysisWork,
  CoordinatorData,
  FromCoordinator,
  ToCoordinator,
} from "./coordinator-thread.ts";

/** Runs analyses in separate threads, started at the first need. */
export interface Analyser extends AsyncDisposable {
  /** @throws {ServiceError} failure of the analysis; the reason of the signal after an abort, once its files are closed */
  run<Stage extends AnalysisWork["stage"]>(
    work: Extract<AnalysisWork, { readonly stage: Stage }>,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<Extract<AnalysisOutcome, { readonly stage: Stage }>>;
  /** Makes further versions of models known; analyses of earlier versions go on with theirs. */
  install(installed: readonly InstalledModel[]): void;
}

export interface AnalyserOptions {
  readonly threads: number;
  /** Where blobs without a local path are read. */
  readonly s3: CoordinatorData["s3"];
  /** Installed models and their limits; null or absent without models. */
  readonly models?: { readonly installed: readonly InstalledModel[]; readonly limits: ModelLimits } | null;
}

interface Running {
  readonly signal: AbortSignal;
  readonly resolve: (outcome: AnalysisOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((share: number) => void) | undefined;
}

export function createAnalyser({ threads, s3, models = null }: AnalyserOptions): Analyser {
  const data: CoordinatorData = { threads, s3, modelLimits: models?.limits ?? null };
  const versions = new ModelVersions(models?.installed ?? []);
  let worker: Worker | null = null;
  let lastId = 0;
  let closed = false;
  const running = new Map<number, Running>();

  function receive(message: FromCoordinator): void {
    const job = running.get(message.id);
    if (job === undefined) return;
    if (message.kind === "progress") {
      job.onProgress?.(message.share);
      return;
    }
    running.delete(message.id);
    if (running.size === 0) worker?.unref();
    if (message.kind === "done") job.resolve(message.outcome);
    else job.reject(job.signal.aborted ? job.signal.reason : failureError(message.failure));
  }

  function spawn(): Worker {
    const spawned = new Worker(new URL("coordinator-thread.ts", import.meta.url), {
      workerData: data,
      name: "swath-analyses",
    });
    let cause: Error = new Error("the thread of the analyses ended unexpectedly");
    spawned.on("message", receive);
    spawned.on("error", (error: Error) => {
      cause = error;
    });
    spawned.on("exit", () => {
      worker = null;
      const failure = closed ? new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping") : cause;
      for (const { reject } of running.values()) reject(failure);
      running.clear();
    });
    return spawned;
  }

  return {
    async run<Stage extends AnalysisWork["stage"]>(
      work: Extract<AnalysisWork, { readonly stage: Stage }>,
      signal: AbortSignal,
      onProgress?: (share: number) => void,
    ) {
      signal.throwIfAborted();
      if (closed) throw new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
      const installed = versions.of(work.job.parameters);
      worker ??= spawn();
      const coordinator = worker;
      coordinator.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      const tell = (message: ToCoordinator): void => coordinator.postMessage(message);
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<AnalysisOutcome>();
      running.set(id, { signal, resolve, reject, onProgress });
      const abort = (): void => tell({ kind: "abort", id });
      signal.addEventListener("abort", abort, { once: true });
      tell({ kind: "run", id, work: { ...work, job: { ...work.job, installed } } });
      try {
        const outcome = await promise;
        if (!isOfStage(outcome, work.stage)) {
          throw new Error(`the stage ${work.stage} was answered with ${outcome.stage}`);
        }
        return outcome;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    install: (installed) => versions.add(installed),

    async [Symbol.asyncDispose]() {
      closed = true;
      await worker?.terminate();
    },
  };
}

function isOfStage<Stage extends AnalysisOutcome["stage"]>(
  outcome: AnalysisOutcome,
  stage: Stage,
): outcome is Extract<AnalysisOutcome, { readonly stage: Stage }> {
  return outcome.stage === stage;
}
