import type { datacubeContract } from "@swath/contract/features/datacube/contract";
import type { Handlers } from "../../platform/context.ts";
import type { DatacubeService } from "./service.ts";

export function datacubeHandlers(service: DatacubeService): Handlers<typeof datacubeContract> {
  return {
    appendDatapoints: (request, { caller, signal }) => service.append(caller, request, signal),
    defineProduct: (request, { caller, signal }) => service.defineProduct(caller, request, signal),
    exportDatapoints: service.exportDatapoints,
    getAois: (request, { caller, signal }) => service.getAois(caller, request, signal),
    getCatalogue: (request, { caller, signal }) => service.getCatalogue(caller, request, signal),
    getDatapoints: (request, { caller, signal }) => service.getDatapoints(caller, request, signal),
    getProduct: (request, { caller, signal }) => service.getProduct(caller, request, signal),
    getProductCatalogue: (request, { caller, signal }) => service.getProductCatalogue(caller, request, signal),
    getSalesInfo: (request, { caller, signal }) => service.getSalesInfo(caller, request, signal),
    saveAois: (request, { caller, signal }) => service.saveAois(caller, request, signal),
    saveProject: (request, { caller, signal }) => service.saveProject(caller, request, signal),
  };
}
