import { nextTrySeconds } from "@swath/kernel/pipelines/next-try";
import { isTerminal } from "@swath/kernel/pipelines/pipeline-state";
import { isErrorCode, type ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, PipelineProgress, Trx } from "../context.ts";
import { newPipelineId } from "./pipeline-id.ts";
import type { PipelineSignals } from "./pipeline-signals.ts";
import { cancelPipeline, findPipeline, findResult, insertPipeline, type PipelineRow } from "./pipeline-store.ts";

/** Statuses as callers see them. */
type ShownStatus = "NEW" | "PROCESSING" | "RESOLVED" | "FAILED";

interface EnqueueInput {
  /** Path of the pipeline operation. */
  readonly kind: string;
  /** JSON value that `PipelineHandler.run` is given. */
  readonly request: unknown;
  readonly caller: Caller;
  readonly baseUrl: string;
}

interface InitiateAnswer {
  readonly pipelineId: string;
  readonly status: "NEW";
  readonly nextTry: number;
}

interface PipelineStatusAnswer {
  readonly status: ShownStatus;
  /** Last change of status or progress. */
  readonly modified: Date;
  /** Seconds; only while NEW or PROCESSING. */
  readonly nextTry?: number;
  readonly progress: PipelineProgress;
}

interface RetrieveInput {
  /** Path of the operation asked; another operation's pipeline is refused. */
  readonly kind: string;
  readonly pipelineId: string;
  readonly caller: Caller;
  readonly allowPartial: boolean;
}

/** Pipelines as the operations of the service use them; running them is the worker's part. */
export interface PipelineService {
  /** Stores the pipeline in the caller's transaction, together with the side effects of accepting it. */
  enqueue(transaction: Trx, input: EnqueueInput): Promise<InitiateAnswer>;
  /**
   * The status; with `waitSeconds` (0 to 30) the answer is held back until the pipeline ends or the time is over.
   * @throws {ServiceError} NON-EXISTENT-PIPELINE
   */
  status(pipelineId: string, waitSeconds: number, signal?: AbortSignal): Promise<PipelineStatusAnswer>;
  /**
   * The result, or with `allowPartial` what there is of it, even when the pipeline has failed since.
   * @throws {ServiceError} NON-EXISTENT-PIPELINE also for strangers; INVALID_PIPELINE_RESULT; PIPELINE-NOT-PROCESSED;
   *   the failing step's own code under 424
   */
  retrieve(input: RetrieveInput): Promise<unknown>;
  /** @throws {ServiceError} NON-EXISTENT-PIPELINE also for strangers; ILLEGAL-STATE-TRANSITION when it has ended otherwise */
  cancel(pipelineId: string, caller: Caller): Promise<{ readonly status: "FAILED" }>;
  /** Waits for the end; the status then, still NEW or PROCESSING when the time is over or the signal aborts. */
  waitFor(pipelineId: string, signal: AbortSignal, timeoutMs: number): Promise<ShownStatus>;
}

export interface PipelineServiceDeps {
  readonly db: Db;
  readonly signals: PipelineSignals;
  /** Days that results stay. */
  readonly retentionDays: number;
  /** Aborts when the service stops: who waits then is answered with the status as it is. */
  readonly stopping?: AbortSignal;
}

/** Signals may be lost while their connection is restored: the table is looked at this often. */
const RECHECK_MS = 2_000;
const FIRST_TRY_SECONDS = nextTrySeconds(0);

export function createPipelineService(deps: PipelineServiceDeps): PipelineService {
  const context = { ...deps, stopping: deps.stopping ?? new AbortController().signal };
  return {
    async enqueue(transaction, input) {
      const pipelineId = newPipelineId();
      await insertPipeline(transaction, { id: pipelineId, ...input });
      return { pipelineId, status: "NEW", nextTry: FIRST_TRY_SECONDS };
    },
    async status(pipelineId, waitSeconds, signal = new AbortController().signal) {
      const wait = { signal, timeoutMs: waitSeconds * 1_000 };
      return statusAnswer(
        waitSeconds > 0 ? await waitEnded(context, pipelineId, wait) : await findRow(context, pipelineId),
      );
    },
    retrieve: (input) => retrieve(context, input),
    async cancel(pipelineId, caller) {
      await cancel(context, pipelineId, caller);
      return { status: "FAILED" };
    },
    waitFor: async (pipelineId, signal, timeoutMs) =>
      shownStatus(await waitEnded(context, pipelineId, { signal, timeoutMs })),
  };
}

type Context = Required<PipelineServiceDeps>;

async function findRow({ db, retentionDays }: Context, pipelineId: string): Promise<PipelineRow> {
  const row = await findPipeline(db, pipelineId, retentionDays);
  if (row === null) throw noSuchPipeline();
  return row;
}

/** The pipeline of the caller or of the caller's group. */
async function findOwn(context: Context, pipelineId: string, caller: Caller): Promise<PipelineRow> {
  const row = await findRow(context, pipelineId);
  const sameGroup = row.groupId !== "" && row.groupId === caller.groupId;
  if (row.userId !== caller.userId && !sameGroup) throw noSuchPipeline();
  return row;
}

/** The pipeline when it ends, or as it is when the time is over, the signal aborts or the service stops. */
async function waitEnded(
  context: Context,
  pipelineId: string,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<PipelineRow> {
  const until = AbortSignal.any([signal, context.stopping, AbortSignal.timeout(timeoutMs)]);
  for (;;) {
    // Listening starts before the look at the table, so that an end in between is not missed.
    const round = new AbortController();
    const finished = context.signals.waitFinished(
      pipelineId,
      AbortSignal.any([until, round.signal, AbortSignal.timeout(RECHECK_MS)]),
    );
    try {
      const row = await findRow(context, pipelineId);
      if (isTerminal(row.status) || until.aborted) return row;
      await finished;
    } finally {
      round.abort();
    }
  }
}

async function retrieve(context: Context, { kind, pipelineId, caller, allowPartial }: RetrieveInput): Promise<unknown> {
  const { db } = context;
  const row = await findOwn(context, pipelineId, caller);
  if (row.kind !== kind) {
    throw new ServiceError(
      "INVALID_PIPELINE_RESULT",
      `the pipeline was initiated by ${row.kind}/initiate; retrieve it there, not through ${kind}/retrieve`,
    );
  }
  if (row.status === "RESOLVED") return findResult(db, pipelineId, "result");
  if (row.status === "CANCELLED") throw new ServiceError("PIPELINE-CANCELLED", "the pipeline was cancelled");
  const partial = allowPartial ? await findResult(db, pipelineId, "partial") : null;
  if (partial !== null) return partial;
  if (row.status === "FAILED") {
    throw new ServiceError(errorCode(row.errorCode), row.errorMessage ?? "the pipeline failed", { isFinal: true });
  }
  throw new ServiceError(
    "PIPELINE-NOT-PROCESSED",
    allowPartial ? "the pipeline has no partial result yet" : "the pipeline has not ended yet",
  );
}

async function cancel(context: Context, pipelineId: string, caller: Caller): Promise<void> {
  await findOwn(context, pipelineId, caller);
  const status = await cancelPipeline(context.db, pipelineId);
  if (status === null) throw noSuchPipeline();
  if (status !== "CANCELLED") {
    throw new ServiceError("ILLEGAL-STATE-TRANSITION", `the pipeline has ended as ${status} and cannot be cancelled`);
  }
}

function statusAnswer(row: PipelineRow): PipelineStatusAnswer {
  const status = shownStatus(row);
  const waiting = status === "NEW" || status === "PROCESSING";
  return {
    status,
    modified: row.modifiedAt,
    progress: row.progress ?? { message: "Unknown", step: 0 },
    ...(waiting ? { nextTry: nextTrySeconds(row.ageSeconds) } : {}),
  };
}

/** NEW is not shown once the first advised wait is over: clients rely on it, whether or not a worker was free. */
function shownStatus(row: PipelineRow): ShownStatus {
  if (row.status === "CANCELLED") return "FAILED";
  return row.status === "NEW" && row.ageSeconds >= FIRST_TRY_SECONDS ? "PROCESSING" : row.status;
}

function errorCode(stored: string | null): ErrorCode {
  return stored !== null && isErrorCode(stored) ? stored : "PROCESSING-ERROR";
}

function noSuchPipeline(): ServiceError {
  return new ServiceError("NON-EXISTENT-PIPELINE", "there is no pipeline of that id, or it has expired");
}
