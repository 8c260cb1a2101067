import { createBatches } from "@swath/base/concurrency/batches";
import { OVER } from "@swath/base/concurrency/over";
import { sleep } from "@swath/base/concurrency/sleep";
import { TimeLimit } from "@swath/base/concurrency/time-limit";
import { createTurnstile } from "@swath/base/concurrency/turnstile";
import { LRUCache } from "lru-cache";
import { firstTrySeconds, shownProgress, shownStatus, type ShownStatus } from "./shown-status.ts";
import { nextTrySeconds } from "@swath/kernel/pipelines/next-try";
import { isTerminal } from "@swath/kernel/pipelines/pipeline-state";
import { isErrorCode, type ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, PipelineProgress, RequestContext } from "../context.ts";
import { insertPipeline } from "./accept-store.ts";
import { DEFAULT_QUEUE_LIMITS, type QueueLimits } from "./lane.ts";
import { newPipelineId } from "./pipeline-id.ts";
import type { PipelineSignals } from "./pipeline-signals.ts";
import type { RecentEnds } from "./recent-ends.ts";
import { cancelPipeline, findOutcome, findPipelines, type PipelineRow } from "./pipeline-store.ts";

export interface EnqueueInput {
  /** A new one unless given. */
  readonly id?: string;
  /** Path of the pipeline operation. */
  readonly kind: string;
  /** Lane of the operation, or of the feature whose pipelines these are. */
  readonly lane: string;
  /** JSON value that `PipelineHandler.run` is given. */
  readonly request: unknown;
  readonly caller: Caller;
  readonly baseUrl: string;
  /** Share whose turn the pipeline takes; the caller's unless given. */
  readonly share?: string;
  /** Whether an accepted pipeline waits for this one: no bound refuses it. */
  readonly isInner?: boolean;
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
  /** Place in the queue, 1 to 1,000; only while the pipeline waits for a place. */
  readonly position?: number;
  readonly progress: PipelineProgress;
}

/** That a part of the result will do. */
export interface PartialAnswer {
  /** Answer before there is anything. */
  readonly empty: unknown;
}

interface RetrieveInput {
  /** Path of the operation asked; another operation's pipeline is refused. */
  readonly kind: string;
  readonly pipelineId: string;
  readonly caller: Caller;
  /** Absent: the whole result only. */
  readonly partial?: PartialAnswer;
}

/** An answer that is held back. */
type AnswerWait = Partial<Pick<RequestContext, "signal" | "beginWait">>;

/** Pipelines as the operations of the service use them; running them is the worker's part. */
export interface PipelineService {
  /**
   * Stores the pipeline, in the caller's transaction together with the side effects of accepting it.
   *
   * @throws {ServiceError} TOO-MANY-REQUESTS when as many pipelines of the share wait in the lane as may
   */
  enqueue(db: Db, input: EnqueueInput): Promise<InitiateAnswer>;
  /**
   * The status; with `waitSeconds` (0 to 30) the answer is held back until the pipeline ends or the time is over. With
   * null the answer is held back for at most 250 ms when the pipeline is younger than a second, and for at most a second
   * when the answer before was less than 250 ms ago: a loop without a pause asks once a second. Such an answer is held
   * back also when `beginWait` refuses: the caller then spends a place of its requests.
   * @throws {ServiceError} NON-EXISTENT-PIPELINE
   */
  status(pipelineId: string, waitSeconds: number | null, wait?: AnswerWait): Promise<PipelineStatusAnswer>;
  /**
   * The result, or with `partial` what there is of it, even when the pipeline has failed since.
   * @throws {ServiceError} NON-EXISTENT-PIPELINE also for strangers; INVALID_PIPELINE_RESULT; PIPELINE-NOT-PROCESSED;
   *   the failing step's own code under 424
   */
  retrieve(input: RetrieveInput): Promise<unknown>;
  /** @throws {ServiceError} NON-EXISTENT-PIPELINE also for strangers; ILLEGAL-STATE-TRANSITION when it has ended otherwise */
  cancel(pipelineId: string, caller: Caller): Promise<{ readonly status: "FAILED" }>;
  /**
   * Waits for the end; the status then, still NEW or PROCESSING when the time is over, the signal aborts or
   * `beginWait` refuses.
   */
  waitFor(
    pipelineId: string,
    signal: AbortSignal,
    timeoutMs: number,
    beginWait?: RequestContext["beginWait"],
  ): Promise<ShownStatus>;
}

export interface PipelineServiceDeps {
  readonly db: Db;
  readonly signals: PipelineSignals;
  /** Days that results stay. */
  readonly retentionDays: number;
  readonly limits?: QueueLimits;
  /** Ends that this process has stored. */
  readonly recent?: RecentEnds;
  /** Aborts when the service stops: who waits then is answered with the status as it is. */
  readonly stopping?: AbortSignal;
}

/** Signals may be lost while their connection is restored: the table is looked at this often. */
const RECHECK_MS = 2_000;
/** Age below which a quick pipeline is due at any moment, and a status is held back. */
const YOUNG_SECONDS = 1;
/** Longest hold of an answer of a young pipeline, and the time after an answer in which the next one comes early. */
const EARLY_MS = 250;
/** Longest hold of an early answer: 200 loops without a pause ask 200 times a second, 40 % of the limit of a user. */
const AGAIN_MS = 1_000;
/** Pipelines whose last answer is remembered. */
const MAX_ANSWERED = 10_000;
const FULL_QUEUE_RETRY_S = 5;
const ROWS_TOGETHER = 8;
const ROW_STATEMENTS = 2;
/** Rows that are found in one turn of the event loop: each answers a request, which takes a third of a millisecond. */
const ROWS_PER_TURN = 2;
/** Larger than any queue. */
const NO_BOUND = 2 ** 31 - 1;

export function createPipelineService(deps: PipelineServiceDeps): PipelineService {
  const answered = new LRUCache<string, true>({ max: MAX_ANSWERED, ttl: EARLY_MS });
  const findRow = rowFinder(deps);
  const waiting = { ...deps, findRow };
  return {
    enqueue: (db, input) => enqueue(db, input, deps.limits ?? DEFAULT_QUEUE_LIMITS),
    async status(pipelineId, waitSeconds, { beginWait = freeWait, signal = NEVER } = {}) {
      const last = await rowInTime(waiting, pipelineId, signal, (row) => {
        const heldMs = waitSeconds === null ? earlyHoldMs(row, answered.has(pipelineId)) : waitSeconds * 1_000;
        if (heldMs === 0) return null;
        const wait = beginWait() ?? (waitSeconds === null ? freeWait() : null);
        return wait === null ? null : { heldMs, wait };
      });
      answered.set(pipelineId, true);
      return statusAnswer(last);
    },
    retrieve: (input) => retrieve(deps, input),
    cancel: (pipelineId, caller) => cancel(deps.db, findRow, pipelineId, caller),
    async waitFor(pipelineId, signal, timeoutMs, beginWait = freeWait) {
      const last = await rowInTime(waiting, pipelineId, signal, () => {
        const wait = beginWait();
        return wait === null ? null : { heldMs: timeoutMs, wait };
      });
      return shownStatus(last);
    },
  };
}

async function enqueue(db: Db, input: EnqueueInput, limits: QueueLimits): Promise<InitiateAnswer> {
  const pipelineId = input.id ?? newPipelineId();
  const bounds = input.isInner === true ? { ...limits, waitingPerCaller: NO_BOUND } : limits;
  if (!(await insertPipeline(db, { ...input, id: pipelineId }, bounds))) {
    throw new ServiceError(
      "TOO-MANY-REQUESTS",
      `${limits.waitingPerCaller} pipelines of the caller wait already; initiate more when some of them have ended`,
      { retryAfterS: FULL_QUEUE_RETRY_S },
    );
  }
  return { pipelineId, status: "NEW", nextTry: firstTrySeconds(input.lane) };
}

/** @throws {ServiceError} NON-EXISTENT-PIPELINE */
type FindRow = (pipelineId: string) => Promise<PipelineRow>;

/** Finds rows; those that are asked for together by one statement, which begins after all of them were asked for. */
function rowFinder({ db, recent, retentionDays }: PipelineServiceDeps): FindRow {
  const read = createBatches<string, PipelineRow | null>({
    run: (ids) => findPipelines(db, ids, retentionDays),
    maxItems: ROWS_TOGETHER,
    maxRunning: ROW_STATEMENTS,
  });
  const takeTurn = createTurnstile(ROWS_PER_TURN);
  return async (pipelineId) => {
    const row = recentRow(recent, pipelineId) ?? (await read(pipelineId));
    await takeTurn();
    if (row === null) throw noSuchPipeline();
    return row;
  };
}

function recentRow(recent: RecentEnds | undefined, pipelineId: string): PipelineRow | null {
  const end = recent?.get(pipelineId);
  return end === undefined ? null : { ...end, status: "RESOLVED", ageSeconds: 0, position: null };
}

function earlyHoldMs({ ageSeconds }: PipelineRow, isAgain: boolean): number {
  if (ageSeconds < YOUNG_SECONDS) return EARLY_MS;
  return isAgain ? AGAIN_MS : 0;
}

const NEVER = new AbortController().signal;

/** The wait of a pipeline for another one takes no share of requests. */
function freeWait(): Disposable {
  return { [Symbol.dispose]() {} };
}

/** An answer that is held back, and the share of the caller's waits that it takes. */
interface Hold {
  readonly heldMs: number;
  readonly wait: Disposable;
}

/**
 * The row when the pipeline has ended, or when the time is over.
 *
 * @param holdOf by the row of a pipeline that has not ended; null answers with it
 */
async function rowInTime(
  deps: Pick<PipelineServiceDeps, "recent" | "signals" | "stopping"> & { readonly findRow: FindRow },
  pipelineId: string,
  signal: AbortSignal,
  holdOf: (row: PipelineRow) => Hold | null,
): Promise<PipelineRow> {
  const { recent, signals, stopping, findRow } = deps;
  const ended = recentRow(recent, pipelineId);
  if (ended !== null) return ended;
  using held = new DisposableStack();
  let until: AbortSignal | null = null;
  for (;;) {
    // Listening starts before the look at the table, so that an end in between is not missed.
    const round = new AbortController();
    const finished = signals.waitFinished(pipelineId, round.signal);
    try {
      const row = await findRow(pipelineId);
      if (isTerminal(row.status)) return row;
      if (until === null) {
        const hold = holdOf(row);
        if (hold === null) return row;
        held.use(hold.wait);
        until = held.use(new TimeLimit(hold.heldMs, signal, ...(stopping ? [stopping] : []))).signal;
      }
      if (until.aborted) return row;
      await Promise.race([finished, sleep(RECHECK_MS, AbortSignal.any([until, round.signal]))]);
    } finally {
      round.abort(OVER);
    }
  }
}

async function retrieve(
  { db, recent, retentionDays }: PipelineServiceDeps,
  { kind, pipelineId, caller, partial }: RetrieveInput,
): Promise<unknown> {
  const end = recent?.get(pipelineId);
  if (end?.kind === kind && isOwn(end, caller)) return JSON.parse(end.resultJson);
  const row = await findOutcome(db, { id: pipelineId, kind, caller }, retentionDays);
  if (row === null || !isOwn(row, caller)) throw noSuchPipeline();
  if (row.kind !== kind) {
    throw new ServiceError(
      "INVALID_PIPELINE_RESULT",
      `the pipeline was initiated by ${row.kind}/initiate; retrieve it there, not through ${kind}/retrieve`,
    );
  }
  if (row.dropped) throw noSuchPipeline("the result is not kept any more: there was no room for it");
  if (row.status === "RESOLVED") return row.value;
  if (row.status === "CANCELLED") throw new ServiceError("PIPELINE-CANCELLED", "the pipeline was cancelled");
  if (partial !== undefined && row.value !== null) return row.value;
  if (row.status === "FAILED") {
    throw new ServiceError(errorCode(row.errorCode), row.errorMessage ?? "the pipeline failed", { isFinal: true });
  }
  if (partial !== undefined) return partial.empty;
  throw new ServiceError("PIPELINE-NOT-PROCESSED", "the pipeline has not ended yet");
}

async function cancel(
  db: Db,
  findRow: FindRow,
  pipelineId: string,
  caller: Caller,
): Promise<{ readonly status: "FAILED" }> {
  if (!isOwn(await findRow(pipelineId), caller)) throw noSuchPipeline();
  const status = await cancelPipeline(db, pipelineId);
  if (status === null) throw noSuchPipeline();
  if (status !== "CANCELLED") {
    throw new ServiceError("ILLEGAL-STATE-TRANSITION", `the pipeline has ended as ${status} and cannot be cancelled`);
  }
  return { status: "FAILED" };
}

function isOwn(row: { readonly userId: string; readonly groupId: string }, caller: Caller): boolean {
  return row.userId === caller.userId || (row.groupId !== "" && row.groupId === caller.groupId);
}

function statusAnswer(row: PipelineRow): PipelineStatusAnswer {
  const status = shownStatus(row);
  const isWaiting = status === "NEW" || status === "PROCESSING";
  const isDue = row.lane === "quick" && row.ageSeconds < YOUNG_SECONDS;
  return {
    status,
    modified: row.modifiedAt,
    progress: shownProgress(row),
    ...(isWaiting ? { nextTry: isDue ? 0 : nextTrySeconds(row.ageSeconds) } : {}),
    ...(row.position === null ? {} : { position: row.position }),
  };
}

function errorCode(stored: string | null): ErrorCode {
  return stored !== null && isErrorCode(stored) ? stored : "PROCESSING-ERROR";
}

function noSuchPipeline(message = "there is no pipeline of that id, or it has expired"): ServiceError {
  return new ServiceError("NON-EXISTENT-PIPELINE", message);
}
