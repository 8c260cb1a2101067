import type { Handlers } from "../../platform/context.ts";
import type { imageryContract } from "@swath/contract/features/imagery/contract";
import { runSearch } from "./run-search.ts";
import type { ImageryService } from "./service.ts";

export function imageryHandlers(service: ImageryService): Handlers<typeof imageryContract> {
  return {
    search: {
      prepare: (request, { caller, signal }) => service.admitSearch(request, signal, caller),
      run: (request, job) => runSearch(service, request, job),
    },
    sceneInfo: (request, { caller, signal }) => service.seenBy(caller).sceneInfo(request, signal),
    listDatasets: async (_request, { caller }) => [...service.listDatasets(caller)],
    thumbnail: ({ query, headers }, { caller, signal }) =>
      service.seenBy(caller).thumbnail(query.scene_id, headers, signal),
  };
}
