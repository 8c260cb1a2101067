import type { Handlers } from "../../platform/context.ts";
import type { geojsonContract } from "@swath/contract/features/geojson/contract";
import type { GeojsonService } from "./service.ts";

export function geojsonHandlers(service: GeojsonService): Handlers<typeof geojsonContract> {
  return {
    deleteFeature: async ({ featureId }, { caller }) => {
      await service.deleteFeature(caller, featureId);
      return {};
    },
    getFeature: ({ featureId }, { caller }) => service.getFeature(caller, featureId),
    getGeometry: ({ geometryId }) => service.getGeometry(geometryId),
    listFeatures: ({ cursor }, { caller }) => service.listFeatures(caller, cursor),
    saveFeature: (feature, { caller, signal }) => service.saveFeature(caller, feature, signal),
    saveGeometry: (geometry, { signal }) => service.saveGeometry(geometry, signal),
  };
}
