import { parentPort, workerData } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { FoundObject } from "../analysis/block.ts";
import { describeFailure, type ThreadFailure } from "@swath/base/threads/thread-failure";
import {
  computeWindow,
  finishObjects,
  joinParts,
  surveyScenes,
  type AnalysisJob,
  type AnalysisModel,
  type AnalysisPart,
  type AnalysisProduct,
} from "./analysis-job.ts";
import { createBlockCacheMemory } from "@swath/raster/cog/block-cache";
import { AnalysisPool } from "./analysis-pool.ts";
import type { AnalysisThreadData } from "./messages.ts";

workInBackground();

/** Start data of the thread. */
export interface CoordinatorData extends Omit<AnalysisThreadData, "cache"> {
  readonly threads: number;
}

/** A stage of an analysis. */
export type AnalysisWork = { readonly job: AnalysisJob } & (
  | { readonly stage: "survey" }
  /** The whole window, in this process. */
  | { readonly stage: "whole"; readonly model: unknown }
  /** Rows of the window that another process joins with the others. */
  | { readonly stage: "part"; readonly model: unknown }
  | {
      readonly stage: "join";
      readonly model: unknown;
      /** Files of each part from top to bottom, one per layer. */
      readonly parts: readonly (readonly string[])[];
      readonly found: readonly FoundObject[];
    }
);

export type AnalysisOutcome =
  | ({ readonly stage: "survey" } & AnalysisModel)
  | ({ readonly stage: "whole" } & AnalysisProduct)
  | ({ readonly stage: "part" } & AnalysisPart)
  | ({ readonly stage: "join" } & AnalysisProduct);

export type ToCoordinator =
  | { readonly kind: "run"; readonly id: number; readonly work: AnalysisWork }
  | { readonly kind: "abort"; readonly id: number };

export type FromCoordinator =
  | { readonly kind: "progress"; readonly id: number; readonly share: number }
  | { readonly kind: "done"; readonly id: number; readonly outcome: AnalysisOutcome }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure };

const PROGRESS_STEP = 0.02;
/** Two rows of blocks of a granule, four bands of 16 bits, each with its margin: every pixel is decoded once. */
const CACHE_BYTES = 192 * 2 ** 20;

const port = parentPort;
if (port === null) throw new Error("coordinator-thread.ts runs in a worker thread only");
const { threads, ...data } = workerData as CoordinatorData;
const pool = new AnalysisPool(threads, { ...data, cache: createBlockCacheMemory(CACHE_BYTES) });
const running = new Map<number, AbortController>();

function tell(message: FromCoordinator): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port?.postMessage(message);
}

async function carryOut(
  work: AnalysisWork,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<AnalysisOutcome> {
  const { job } = work;
  switch (work.stage) {
    case "survey":
      return { stage: "survey", ...(await surveyScenes(job, pool, signal)) };
    case "part":
      return { stage: "part", ...(await computeWindow(job, work.model, pool, signal, onProgress)) };
    case "whole": {
      const { bands, found } = await computeWindow(job, work.model, pool, signal, onProgress);
      return { stage: "whole", bands, ...(await finishObjects(job, work.model, found, pool, signal)) };
    }
    case "join": {
      const bands = await joinParts(job, work.parts, signal, onProgress);
      return { stage: "join", bands, ...(await finishObjects(job, work.model, work.found, pool, signal)) };
    }
    default:
      return work satisfies never;
  }
}

async function run(id: number, work: AnalysisWork): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  let told = 0;
  try {
    const outcome = await carryOut(work, controller.signal, (share) => {
      if (share - told < PROGRESS_STEP) return;
      told = share;
      tell({ kind: "progress", id, share });
    });
    tell({ kind: "done", id, outcome });
  } catch (error) {
    tell({ kind: "failed", id, failure: describeFailure(error) });
  } finally {
    running.delete(id);
  }
}

port.on("message", (message: ToCoordinator) => {
  if (message.kind === "run") void run(message.id, message.work);
  else running.get(message.id)?.abort();
});
