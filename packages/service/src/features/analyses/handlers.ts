import type { analysesContract } from "@swath/contract/features/analyses/contract";
import type { Handlers } from "../../platform/context.ts";
import type { AnalysesService } from "./service.ts";

export function analysesHandlers(service: AnalysesService): Handlers<typeof analysesContract> {
  return {
    addMapTypes: service.addMapTypes,
    spawnFromScene: service.spawnFromScene,
    exportAnalysis: service.exportAnalysis,
    importAnalysis: service.importAnalysis,
    get: (request, { caller }) => service.get(caller, request),
    list: (request, { caller, signal }) => service.list(caller, request, signal),
    createOrUpdate: (request, { caller, signal }) => service.save(caller, request, signal),
    copy: ({ analysisId }, { caller }) => service.copy(caller, analysisId),
    delete: ({ analysisId }, { caller }) => service.delete(caller, analysisId),
  };
}
