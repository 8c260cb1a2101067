/** Statuses of a pipeline as stored; `CANCELLED` is shown to callers as `FAILED` with PIPELINE-CANCELLED. */
export type PipelineStatus = "NEW" | "PROCESSING" | "RESOLVED" | "FAILED" | "CANCELLED";

const NEXT: Readonly<Record<PipelineStatus, readonly PipelineStatus[]>> = {
  NEW: ["PROCESSING", "CANCELLED"],
  PROCESSING: ["PROCESSING", "RESOLVED", "FAILED", "CANCELLED"],
  RESOLVED: [],
  FAILED: [],
  CANCELLED: [],
};

/** Whether a pipeline may move from one status to another; a retry is PROCESSING to PROCESSING. */
export function mayMove(from: PipelineStatus, to: PipelineStatus): boolean {
  return NEXT[from].includes(to);
}

/** Statuses from which a pipeline may move to a status, in the order of `PipelineStatus`. */
export function statusesBefore(to: PipelineStatus): readonly PipelineStatus[] {
  return (Object.keys(NEXT) as PipelineStatus[]).filter((from) => mayMove(from, to));
}

/** Whether nothing can follow the status. */
export function isTerminal(status: PipelineStatus): boolean {
  return NEXT[status].length === 0;
}
