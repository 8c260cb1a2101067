import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import type { Log } from "@swath/base/log/log";
import type { ClaimedPipeline } from "../platform/queue/claim-store.ts";
import type { Run } from "../platform/queue/run-store.ts";
import { recordFailure } from "./run-pipeline.ts";
import type { RunRecord } from "./run-record.ts";

/** Starts a process that runs one claimed pipeline under its lease and then exits with 0. */
export type AloneStart = (run: Run) => ChildProcess;

/** Exit code of a process that could not reach the database: it says nothing about the pipeline. */
export const NO_DATABASE_EXIT = 75;
const OUTAGE_PAUSE_MS = 1_000;

/** The process that ran nothing but this pipeline ended without an answer. */
class AloneDeathError extends Error {
  override readonly name = "AloneDeathError";
}

export interface AloneRun {
  readonly pipeline: ClaimedPipeline;
  readonly run: Run;
  readonly record: RunRecord;
  readonly control: AbortController;
  readonly startAlone: AloneStart;
  readonly maxAttempts: number;
  readonly log: Log;
}

/**
 * Runs a pipeline in a separate process: only the death of that process counts against the pipeline, and harms no
 * other. This process keeps the lease. Never rejects.
 */
export async function runAlone(alone: AloneRun): Promise<void> {
  const { control, log, maxAttempts, pipeline, record, run, startAlone } = alone;
  try {
    log.warn({ pipelineId: run.id, deaths: pipeline.deaths }, "a pipeline runs in a separate process");
    const child = startAlone(run);
    const kill = (): void => void child.kill("SIGKILL");
    control.signal.addEventListener("abort", kill, { once: true });
    if (control.signal.aborted) kill();
    const [exitCode, signal] = await once(child, "exit");
    control.signal.removeEventListener("abort", kill);
    if (exitCode === 0) return;
    if (control.signal.aborted) await record.release(0, false);
    else if (exitCode === NO_DATABASE_EXIT) await record.release(OUTAGE_PAUSE_MS, false);
    else {
      const death = new AloneDeathError(`its own process ended with ${String(exitCode ?? signal)}`);
      await recordFailure(pipeline, record, maxAttempts, log, death);
    }
  } catch (error) {
    // The lease ends by itself and another run follows.
    log.error({ pipelineId: run.id, err: error }, "the end of a pipeline that ran alone could not be stored");
  }
}
