import type { PipelineJob } from "../../../platform/context.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";

/** Works in a temporary folder, which is gone afterwards; the signal aborts beyond its quota, too. */
export async function inWorkFolder<Made>(
  folders: WorkFolders,
  { attempt, pipelineId, signal }: Pick<PipelineJob, "attempt" | "pipelineId" | "signal">,
  work: (folder: string, signal: AbortSignal) => Promise<Made>,
): Promise<Made> {
  const folder = await folders.create(pipelineId, attempt);
  try {
    using guard = folders.guard(folder, signal);
    return await work(folder, guard.signal);
  } finally {
    await folders.remove(folder);
  }
}
