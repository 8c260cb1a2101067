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
  /** Called whenever the status is looked at. */
  readonly onProgress?: (status: PipelineStatus) => void;
  /** Told as soon as the pipeline is there. */
  readonly onInitiated?: (pipelineId: string) => void;
  /** Ask the service to stop the pipeline when the signal aborts. */
  readonly cancelOnAbort?: boolean;
}

/** Posts JSON to a path of the service. */
export type Post = (path: string, body: unknown, signal?: AbortSignal) => Promise<unknown>;

/** Seconds the service may hold a status back until the pipeline ends. */
const WAIT_SECONDS = 20;
/** The same when somebody watches the progress. */
const WATCHED_WAIT_SECONDS = 2;
/** An answer sooner than this was not held back. */
const HELD_BACK_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Initiates a pipeline, waits for its end and retrieves its result. @throws {ApiError} 424 when it failed */
export async function runPipeline(post: Post, path: string, body: unknown, options: RunOptions): Promise<unknown> {
  const { signal } = options;
  const pipelineId = readPipelineId(await post(`${path}/initiate`, body, signal));
  options.onInitiated?.(pipelineId);
  try {
    await waitForEnd(post, pipelineId, options);
    return await post(`${path}/retrieve`, { pipelineId }, signal);
  } catch (error) {
    if (signal?.aborted === true && options.cancelOnAbort === true) {
      // The abort is what the caller is told; a pipeline that ended meanwhile cannot be cancelled any more.
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
      // A service that knows no waitSeconds may refuse it; it is asked without from then on.
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
