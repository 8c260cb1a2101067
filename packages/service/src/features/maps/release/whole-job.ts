import type { PipelineJob } from "../../../platform/context.ts";

/** The job of a release within another operation: parts of the release are no answer of that operation. */
export function wholeJob(job: PipelineJob): PipelineJob {
  return { ...job, savePartial: () => Promise.resolve() };
}
