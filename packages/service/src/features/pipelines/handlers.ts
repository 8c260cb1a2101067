import type { Handlers } from "../../platform/context.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { PipelineList } from "./list-pipelines.ts";
import type { pipelinesContract } from "@swath/contract/features/pipelines/contract";

/** Pipelines of the queue, and their list. */
export interface PipelineOperations {
  readonly queue: PipelineService;
  readonly list: PipelineList;
}

export function pipelinesHandlers({ queue, list }: PipelineOperations): Handlers<typeof pipelinesContract> {
  return {
    getStatus: async ({ pipelineId, getProgress, waitSeconds }, context) => {
      const { progress, modified, ...answer } = await queue.status(pipelineId, waitSeconds ?? null, context);
      return { ...answer, modified: modified.toISOString(), ...(getProgress === true ? { progress } : {}) };
    },
    cancel: ({ pipelineId }, { caller }) => queue.cancel(pipelineId, caller),
    list: (request, { caller }) => list(caller.userId, request),
  };
}
