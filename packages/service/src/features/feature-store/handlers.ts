import type { Handlers } from "../../platform/context.ts";
import type { featureStoreContract } from "@swath/contract/features/feature-store/contract";
import type { FeatureStoreService } from "./service.ts";

export function featureStoreHandlers(service: FeatureStoreService): Handlers<typeof featureStoreContract> {
  return {
    aggregate: async ({ query }, { signal }) => ({ count: await service.count(query, signal) }),
    create: async ({ features }, { signal }) => ({ created: await service.create(features, signal) }),
    delete: async ({ id }, { caller }) => await service.remove(id, caller),
    get: async ({ id }, { caller }) => await service.get(id, caller),
    modify: async (feature, { caller, signal }) => ({ modified: await service.modify(feature, caller, signal) }),
    properties: async ({ property, query }, { signal }) => await service.distinctValues(property, query ?? {}, signal),
    search: async (request, { signal }) => await service.search(request, signal),
  };
}
