import type { Handlers } from "../../platform/context.ts";
import type { imageryContract } from "./contract.ts";
import type { ImageryService } from "./service.ts";

export function imageryHandlers(service: ImageryService): Handlers<typeof imageryContract> {
  return {
    search: {
      admit: async (request, _context, transaction) => {
        await service.admitSearch(transaction, request);
        return undefined;
      },
      run: async (request, job) => ({ result: await service.search(request, job.signal) }),
    },
    sceneInfo: (request) => service.sceneInfo(request),
    listDatasets: async (_request, { caller }) => [...service.listDatasets(caller)],
    thumbnail: ({ query, headers }) => service.thumbnail(query.scene_id, headers),
  };
}
