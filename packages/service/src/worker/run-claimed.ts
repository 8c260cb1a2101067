import type { Log } from "@swath/base/log/log";
import type { Db, PipelineHandlers } from "../platform/context.ts";
import type { ClaimedPipeline } from "../platform/queue/claim-store.ts";
import { persistentRecord } from "./persistent-record.ts";
import { claimedRecord, createEnds } from "./run-record.ts";
import { MAX_ATTEMPTS, runPipeline } from "./run-pipeline.ts";

/** Runs a pipeline whose lease another process keeps. @throws the failure to store the end */
export async function runClaimed(
  db: Db,
  pipeline: ClaimedPipeline,
  worker: string,
  handlers: PipelineHandlers,
  log: Log,
): Promise<void> {
  const control = new AbortController();
  const run = { id: pipeline.id, attempt: pipeline.attempt, worker };
  const record = persistentRecord(claimedRecord(db, run, createEnds(db)), control.signal);
  const failure = await runPipeline(pipeline, record, control, {
    handlers,
    log,
    maxAttempts: MAX_ATTEMPTS,
    onEnding: () => {},
  });
  if (failure !== null) throw failure;
}
