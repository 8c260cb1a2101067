import type { Handlers } from "../../platform/context.ts";
import type { ingestionContract } from "@swath/contract/features/ingestion/contract";
import type { IngestionService } from "./service.ts";

export function ingestionHandlers(service: IngestionService): Handlers<typeof ingestionContract> {
  return {
    requestUpload: (request, context) => service.requestUpload(request, context),
    putUpload: (request, context) => service.putUpload(request, context),
    ingestScene: (request, context) => service.ingestAndWait(request, context),
    deleteScene: ({ sceneId }, context) => service.deleteScene(sceneId, context),
    editScene: (request, context) => service.editScene(request, context),
    listScenes: (request, context) => service.listScenes(request, context),
    restoreScene: ({ sceneId }, context) => service.restoreScene(sceneId, context),
    setVisibility: (request, context) => service.setVisibility(request, context),
    fetchScene: {
      prepare: (request, { signal }) => service.admitFetch(request, signal),
      run: (request, job) => service.runFetch(request, job),
    },
    ingestScenePipeline: {
      admit: (request, { caller }, transaction) => service.admit(request, caller, transaction),
      run: (request, job) => service.run(request, job),
    },
  };
}
