import { ApiError } from "./api-error.ts";
import { wait } from "./wait.ts";

export interface Progress {
  readonly message: string;
  readonly provider?: string;
  /** 0 to 6. */
  readonly step: number;
}

export interface PipelineStatus {
  readonly status: "NEW" | "PROCESSING" | "RESOLVED" | "FAILED";
  readonly modified: string;
  readonly nextTry?: number;
  readonly progress?: Progress;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Called after each status request. */
  readonly onProgress?: (status: PipelineStatus) => void;
  /** Called with the id of the new pipeline. */
  readonly onInitiated?: (pipelineId: string) => void;
  /** Whether partial results are taken, also from a failed pipeline. */
  readonly allowPartial?: boolean;
  /** Whether an abort of the signal also cancels the pipeline. */
  readonly cancelOnAbort?: boolean;
}

/** Posts JSON to a path of the service. */
export type Post = (path: string, body: unknown, signal?: AbortSignal) => Promise<unknown>;

/** Seconds that the service may delay a status until the pipeline ends. */
const WAIT_SECONDS = 20;
/** The same when the caller follows the progress. */
const WATCHED_WAIT_SECONDS = 2;
/** A faster answer was not delayed. */
const HELD_BACK_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Initiates a pipeline, waits for its end and returns its result. @throws {ApiError} 424 when it failed */
export async function runPipeline(post: Post, path: string, body: unknown, options: RunOptions): Promise<unknown> {
  const { signal } = options;
  const pipelineId = readPipelineId(await post(`${path}/initiate`, body, signal));
  options.onInitiated?.(pipelineId);
  try {
    await waitForEnd(post, pipelineId, options);
    const partial = options.allowPartial === true ? { allowPartial: true } : {};
    return await post(`${path}/retrieve`, { pipelineId, ...partial }, signal);
  } catch (error) {
    if (signal?.aborted === true && options.cancelOnAbort === true) {
      // The caller receives the abort; an ended pipeline cannot be cancelled.
      await post("/tasking/cancel", { pipelineId }).catch(() => {});
    }
    throw error;
  }
}

async function waitForEnd(post: Post, pipelineId: string, options: RunOptions): Promise<void> {
  const { signal, onProgress } = options;
  let waitSeconds = onProgress === undefined ? WAIT_SECONDS : WATCHED_WAIT_SECONDS;
  for (;;) {
    const askedAtMs = performance.now();
    let status: PipelineStatus;
    try {
      const held = waitSeconds > 0 ? { waitSeconds } : {};
      status = readStatus(await post("/tasking/get-status", { pipelineId, getProgress: true, ...held }, signal));
    } catch (error) {
      // An older service may refuse waitSeconds; later requests omit it.
      if (waitSeconds === 0 || !(error instanceof ApiError) || error.status !== 422) throw error;
      waitSeconds = 0;
      continue;
    }
    onProgress?.(status);
    if (status.status === "RESOLVED" || status.status === "FAILED") return;
    const tookMs = performance.now() - askedAtMs;
    if (waitSeconds > 0 && tookMs >= HELD_BACK_MS) continue;
    await wait(Math.min(MAX_PAUSE_MS, Math.max(0.2, status.nextTry ?? 1) * 1000), signal);
  }
}

function readPipelineId(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "pipelineId" in answer) {
    if (typeof answer.pipelineId === "string") return answer.pipelineId;
  }
  throw new TypeError("initiate was answered without a pipelineId");
}

function readStatus(answer: unknown): PipelineStatus {
  if (typeof answer === "object" && answer !== null && "status" in answer && typeof answer.status === "string") {
    return answer as PipelineStatus;
  }
  throw new TypeError("the status of the pipeline was answered without a status");
}
