import type { Handlers } from "../../platform/context.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { pipelinesContract } from "@swath/contract/features/pipelines/contract";

export function pipelinesHandlers(service: PipelineService): Handlers<typeof pipelinesContract> {
  return {
    getStatus: async ({ pipelineId, getProgress, waitSeconds }, context) => {
      const { progress, modified, ...answer } = await service.status(pipelineId, waitSeconds ?? null, context);
      return { ...answer, modified: modified.toISOString(), ...(getProgress === true ? { progress } : {}) };
    },
    cancel: ({ pipelineId }, { caller }) => service.cancel(pipelineId, caller),
  };
}
