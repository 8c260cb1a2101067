import { storeFaultOf, type StoreFaultKind } from "@swath/base/blobs/store-fault";
import type { Log } from "@swath/base/log/log";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { storableText } from "@swath/kernel/text/storable-text";
import { forShare } from "@swath/base/concurrency/current-share";
import type { PipelineHandler, PipelineJob, PipelineOutcome } from "../platform/context.ts";
import { isUnavailable } from "../platform/postgres/errors.ts";
import type { ClaimedPipeline } from "../platform/queue/claim-store.ts";
import { FailedRunError } from "../platform/queue/failed-run-error.ts";
import { LostPipelineError } from "./leases.ts";
import type { CommitRun, RunRecord } from "./run-record.ts";

export class ShutdownError extends Error {
  override readonly name = "ShutdownError";
}

/** A pipeline at the start of a run. */
export type StartedPipeline = Omit<ClaimedPipeline, "deaths">;

export interface RunDeps {
  readonly log: Log;
  readonly handlers: ReadonlyMap<string, Pick<PipelineHandler<unknown, unknown>, "run">>;
  /** Unexpected failures after which a pipeline is FAILED. */
  readonly maxAttempts: number;
  /** Called with the fault of a store that ended the run. */
  readonly onStoreFault?: (fault: StoreFaultKind) => void;
  /** Called before the end of the run is written. */
  readonly onEnding: () => void;
}

/** Unexpected failures after which a pipeline is FAILED. */
export const MAX_ATTEMPTS = 4;
/** Larger results belong into the blob store. */
const MAX_RESULT_BYTES = 32 * 1024 * 1024;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const OUTAGE_PAUSE_MS = 1_000;

/** Pause before the run after `failures` failed ones: 1 s, 4 s, 16 s, 60 s. */
function retryPauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** Math.max(0, failures - 1));
}

/** Pause after a fault of a store: work that fills the disk by itself must not do so without end at once. */
function storePauseMs(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 6));
}

/**
 * Runs a pipeline to its end and stores how it ended. The result and the effects of `commit` are one transaction, which
 * begins by proving that this run still holds the pipeline: whatever is repeated, effects happen once. Never rejects.
 *
 * @returns the failure to store the end; null when it is stored or another run has the pipeline
 */
export async function runPipeline(
  pipeline: StartedPipeline,
  record: RunRecord,
  control: AbortController,
  deps: RunDeps,
): Promise<Error | null> {
  const { handlers, log, maxAttempts } = deps;
  const about = { pipelineId: pipeline.id, kind: pipeline.kind, attempt: pipeline.attempt };
  try {
    const handler = handlers.get(pipeline.kind);
    if (handler === undefined) throw new Error(`no handler for ${pipeline.kind}`);
    if (pipeline.failures >= maxAttempts) {
      log.error({ ...about, failures: pipeline.failures }, "a pipeline is given up: its runs keep failing");
      await record.fail("PROCESSING-ERROR", givenUp(pipeline.id));
      return null;
    }
    const job = jobOf(pipeline, record, control, log);
    const outcome = await forShare(pipeline.share, () => handler.run(pipeline.request, job));
    control.signal.throwIfAborted();
    const result = boundedJson(outcome.result);
    deps.onEnding();
    if (!(await record.resolve(result, boundedCommit(outcome)))) throw new LostPipelineError("finished by another run");
    log.info(about, "pipeline resolved");
    return null;
  } catch (error) {
    try {
      await settle(error, pipeline, record, control.signal, deps);
      return null;
    } catch (failure) {
      // The lease ends by itself and another run follows.
      log.error({ ...about, err: failure, cause: error }, "the end of a pipeline could not be stored");
      return failure instanceof Error ? failure : new Error(String(failure));
    }
  }
}

async function settle(
  error: unknown,
  pipeline: StartedPipeline,
  record: RunRecord,
  signal: AbortSignal,
  { log, maxAttempts, onEnding, onStoreFault }: RunDeps,
): Promise<void> {
  const about = { pipelineId: pipeline.id, kind: pipeline.kind, attempt: pipeline.attempt };
  if (error instanceof LostPipelineError || (signal.aborted && signal.reason instanceof LostPipelineError)) {
    log.info(about, "a run has lost its pipeline: cancelled or taken over");
    return;
  }
  onEnding();
  if (signal.aborted) {
    log.info(about, "pipeline given back on shutdown");
    await record.release(0, false);
    return;
  }
  const storeFault = storeFaultOf(error);
  if (storeFault !== null) {
    onStoreFault?.(storeFault);
    const pauseMs = storePauseMs(pipeline.attempt);
    log.warn({ ...about, storeFault, err: error, pauseMs }, "pipeline given back: storage takes no writes");
    await record.release(pauseMs, false);
    return;
  }
  if (error instanceof ServiceError && !isPassing(error)) {
    log.info({ ...about, code: error.code, err: error }, "pipeline failed");
    // A message quotes what a file or a source holds.
    await record.fail(
      error.code,
      storableText(error.message),
      error instanceof FailedRunError ? error.commit : undefined,
    );
    return;
  }
  // A provider that cannot be reached is a ServiceError, or the cause of another error, and counts.
  if (!(error instanceof ServiceError) && isUnavailable(error)) {
    // The pipeline is not to blame: however often the database is away, this never ends it.
    log.warn({ ...about, err: error }, "the database was away, and the pipeline will run again");
    await record.release(OUTAGE_PAUSE_MS, false);
    return;
  }
  await recordFailure(pipeline, record, maxAttempts, log, error);
}

/** Stores that a run failed unexpectedly: another run follows, or none after the last attempt. */
export async function recordFailure(
  { attempt, failures: before, id, kind }: Pick<StartedPipeline, "attempt" | "failures" | "id" | "kind">,
  record: RunRecord,
  maxAttempts: number,
  log: Log,
  error: unknown,
): Promise<void> {
  const failures = before + 1;
  if (failures >= maxAttempts) {
    log.error({ pipelineId: id, kind, attempt, err: error }, "pipeline failed after its last attempt");
    await record.fail("PROCESSING-ERROR", givenUp(id));
    return;
  }
  const pauseMs = retryPauseMs(failures);
  log.warn({ pipelineId: id, kind, attempt, err: error, pauseMs }, "pipeline failed and will be tried again");
  await record.release(pauseMs, true);
}

/** Whether another run may succeed. */
function isPassing(error: ServiceError): boolean {
  if (error.isFinal || error.code === "PROCESSING-ERROR") return false;
  return error.code === "SERVICE-UNAVAILABLE" || error.code === "TOO-MANY-REQUESTS";
}

function givenUp(pipelineId: string): string {
  return `processing failed repeatedly; the log of the service tells why under pipeline ${pipelineId}`;
}

function jobOf(pipeline: StartedPipeline, record: RunRecord, control: AbortController, log: Log): PipelineJob {
  const store = async (column: "progress" | "partial", json: string): Promise<void> => {
    if (control.signal.aborted) return;
    try {
      if (!(await record.note(column, json))) control.abort(new LostPipelineError("no longer held"));
    } catch (error) {
      // Progress and partial results are a courtesy: the work itself goes on.
      log.warn({ pipelineId: pipeline.id, column, err: error }, "the progress of a pipeline could not be stored");
    }
  };
  return {
    pipelineId: pipeline.id,
    attempt: pipeline.attempt,
    failures: pipeline.failures,
    caller: pipeline.caller,
    baseUrl: pipeline.baseUrl,
    signal: control.signal,
    report: (progress) => store("progress", JSON.stringify(progress)),
    savePartial: (result) => store("partial", boundedJson(result)),
  };
}

function boundedCommit({ commit }: PipelineOutcome<unknown>): CommitRun | undefined {
  if (commit === undefined) return undefined;
  return async (trx) => {
    const changed = await commit(trx);
    return changed === undefined ? undefined : boundedJson(changed);
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
