import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Db, PipelineHandlers, PipelineJob } from "../platform/context.ts";
import type { Log } from "@swath/base/log/log";
import { inTransaction } from "../platform/postgres/transaction.ts";
import {
  failRun,
  releaseRun,
  resolveRun,
  updateRun,
  type ClaimedPipeline,
  type Run,
} from "../platform/queue/pipeline-store.ts";

/** Why the signal of a running job aborts. */
export class LostPipelineError extends Error {
  override readonly name = "LostPipelineError";
}
export class ShutdownError extends Error {
  override readonly name = "ShutdownError";
}

export interface RunDeps {
  readonly db: Db;
  readonly log: Log;
  /** Unexpected failures after which a pipeline is FAILED. */
  readonly maxAttempts: number;
}

/** Larger results belong into the blob store. */
const MAX_RESULT_BYTES = 32 * 1024 * 1024;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Pause before the run after `failures` failed ones: 1 s, 4 s, 16 s, 60 s. */
function retryPauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** Math.max(0, failures - 1));
}

/**
 * Runs a claimed pipeline to its end and stores how it ended. The result and the effects of `commit` are one
 * transaction, which begins by proving that this run still holds the pipeline: whatever is repeated, effects
 * happen once. Never rejects.
 */
export async function runPipeline(
  claimed: ClaimedPipeline,
  worker: string,
  handlers: PipelineHandlers,
  control: AbortController,
  deps: RunDeps,
): Promise<void> {
  const { db, log, maxAttempts } = deps;
  const run: Run = { id: claimed.id, attempt: claimed.attempt, worker };
  const about = { pipelineId: claimed.id, kind: claimed.kind, attempt: claimed.attempt };
  try {
    const handler = handlers.get(claimed.kind);
    if (handler === undefined) throw new Error(`no handler for ${claimed.kind}`);
    if (claimed.failures >= maxAttempts) {
      log.error({ ...about, failures: claimed.failures }, "a pipeline is given up: its workers keep dying");
      await failRun(db, run, "PROCESSING-ERROR", givenUp(claimed));
      return;
    }
    const outcome = await handler.run(claimed.request, jobOf(claimed, run, control, deps));
    control.signal.throwIfAborted();
    const result = boundedJson(outcome.result);
    await inTransaction(db, async (transaction) => {
      if (!(await resolveRun(transaction, run, result))) throw new LostPipelineError("finished by another run");
      await outcome.commit?.(transaction);
    });
    log.info(about, "pipeline resolved");
  } catch (error) {
    await settle(error, claimed, run, control.signal, deps).catch((failure: unknown) =>
      // The lease ends by itself and another run follows.
      log.error({ ...about, err: failure, cause: error }, "the end of a pipeline could not be stored"),
    );
  }
}

async function settle(
  error: unknown,
  claimed: ClaimedPipeline,
  run: Run,
  signal: AbortSignal,
  { db, log, maxAttempts }: RunDeps,
): Promise<void> {
  const about = { pipelineId: run.id, kind: claimed.kind, attempt: run.attempt };
  if (error instanceof LostPipelineError || (signal.aborted && signal.reason instanceof LostPipelineError)) {
    log.info(about, "a run has lost its pipeline: cancelled or taken over");
    return;
  }
  if (signal.aborted) {
    log.info(about, "pipeline given back on shutdown");
    await releaseRun(db, run, 0, false);
    return;
  }
  if (error instanceof ServiceError && !isPassing(error)) {
    log.info({ ...about, code: error.code, err: error }, "pipeline failed");
    await failRun(db, run, error.code, error.message);
    return;
  }
  const failures = claimed.failures + 1;
  if (failures >= maxAttempts) {
    log.error({ ...about, err: error }, "pipeline failed after its last attempt");
    await failRun(db, run, "PROCESSING-ERROR", givenUp(claimed));
    return;
  }
  const pauseMs = retryPauseMs(failures);
  log.warn({ ...about, err: error, pauseMs }, "pipeline failed and will be tried again");
  await releaseRun(db, run, pauseMs, true);
}

/** Whether another run may succeed. */
function isPassing(error: ServiceError): boolean {
  if (error.isFinal || error.code === "PROCESSING-ERROR") return false;
  return error.code === "SERVICE-UNAVAILABLE" || error.code === "TOO-MANY-REQUESTS";
}

function givenUp(claimed: ClaimedPipeline): string {
  return `processing failed repeatedly; the log of the service tells why under pipeline ${claimed.id}`;
}

function jobOf(claimed: ClaimedPipeline, run: Run, control: AbortController, { db, log }: RunDeps): PipelineJob {
  const store = async (column: "progress" | "partial", json: string): Promise<void> => {
    if (control.signal.aborted) return;
    try {
      if (!(await updateRun(db, run, column, json))) control.abort(new LostPipelineError("no longer held"));
    } catch (error) {
      // Progress and partial results are a courtesy: the work itself goes on.
      log.warn({ pipelineId: run.id, column, err: error }, "the progress of a pipeline could not be stored");
    }
  };
  return {
    pipelineId: claimed.id,
    attempt: claimed.attempt,
    caller: claimed.caller,
    baseUrl: claimed.baseUrl,
    signal: control.signal,
    report: (progress) => store("progress", JSON.stringify(progress)),
    savePartial: (result) => store("partial", boundedJson(result)),
  };
}

function boundedJson(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > MAX_RESULT_BYTES) {
    throw new ServiceError(
      "PROCESSING-ERROR",
      `the result has ${sizeBytes} bytes and at most ${MAX_RESULT_BYTES} are kept; ask for less at once`,
    );
  }
  return json;
}
