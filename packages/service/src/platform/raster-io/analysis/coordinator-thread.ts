import { parentPort, workerData } from "node:worker_threads";
import { describeFailure, type ThreadFailure } from "../serve/threads/messages.ts";
import { runAnalysis, type AnalysisJob, type AnalysisProduct } from "./analysis-job.ts";
import { AnalysisPool } from "./analysis-pool.ts";
import type { AnalysisThreadData } from "./messages.ts";

/** What the thread is started with. */
export interface CoordinatorData extends AnalysisThreadData {
  readonly threads: number;
}

export type ToCoordinator =
  | { readonly kind: "run"; readonly id: number; readonly job: AnalysisJob }
  | { readonly kind: "abort"; readonly id: number };

export type FromCoordinator =
  | { readonly kind: "progress"; readonly id: number; readonly share: number }
  | { readonly kind: "done"; readonly id: number; readonly product: AnalysisProduct }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure };

const PROGRESS_STEP = 0.02;

const port = parentPort;
if (port === null) throw new Error("coordinator-thread.ts runs in a worker thread only");
const { threads, s3 } = workerData as CoordinatorData;
const pool = new AnalysisPool(threads, { s3 });
const running = new Map<number, AbortController>();

function tell(message: FromCoordinator): void {
  port?.postMessage(message);
}

async function run(id: number, job: AnalysisJob): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  let told = 0;
  try {
    const product = await runAnalysis(job, pool, controller.signal, (share) => {
      if (share - told < PROGRESS_STEP) return;
      told = share;
      tell({ kind: "progress", id, share });
    });
    tell({ kind: "done", id, product });
  } catch (error) {
    tell({ kind: "failed", id, failure: describeFailure(error) });
  } finally {
    running.delete(id);
  }
}

port.on("message", (message: ToCoordinator) => {
  if (message.kind === "run") void run(message.id, message.job);
  else running.get(message.id)?.abort();
});
