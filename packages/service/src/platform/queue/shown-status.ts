import { nextTrySeconds } from "@swath/kernel/pipelines/next-try";
import type { PipelineProgress } from "../context.ts";
import type { PipelineRow } from "./pipeline-store.ts";

/** Statuses as callers see them. */
export type ShownStatus = "NEW" | "PROCESSING" | "RESOLVED" | "FAILED";

/** A pipeline of the quick lane is due, and no status is NEW, from the start. */
const QUICK_FIRST_TRY_SECONDS = 0;

/** Seconds from the acceptance of a pipeline to the first request for its status. */
export function firstTrySeconds(lane: string): number {
  return lane === "quick" ? QUICK_FIRST_TRY_SECONDS : nextTrySeconds(0);
}

const LAST_STEP = { message: "Finalizing analysis", step: 6 } as const;

/** A result is there after the last step only, whatever the pipeline reported before. */
export function shownProgress({ progress, status }: Pick<PipelineRow, "progress" | "status">): PipelineProgress {
  if (status === "RESOLVED") return { ...progress, ...LAST_STEP };
  return progress ?? { message: "Unknown", step: 0 };
}

/** NEW is not shown once the first advised wait is over: clients rely on it, whether or not a worker was free. */
export function shownStatus(row: Pick<PipelineRow, "ageSeconds" | "lane" | "status">): ShownStatus {
  if (row.status === "CANCELLED") return "FAILED";
  return row.status === "NEW" && row.ageSeconds >= firstTrySeconds(row.lane) ? "PROCESSING" : row.status;
}
