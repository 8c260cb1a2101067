import type { Handlers } from "../../platform/context.ts";
import type { mapsContract } from "@swath/contract/features/maps/contract";
import type { MapsService } from "./service.ts";
import { tilesetHandlers } from "./tilesets/handlers.ts";

export function mapsHandlers(service: MapsService): Handlers<typeof mapsContract> {
  return {
    release: service.release,
    legacyRelease: service.legacyRelease,
    downloadFile: (request) => service.downloadFile(request),
    dryRun: service.dryRun,
    exportMap: service.exportMap,
    createLink: (request, { caller }) => service.links.create(caller.userId, request),
    listLinks: (_request, { caller }) => service.links.list(caller.userId),
    revokeLink: ({ linkId }, { caller }) => service.links.revoke(caller.userId, linkId),
    mosaic: service.mosaic,
    mosaicDryRun: service.mosaicDryRun,
    nwise: service.nwise,
    pairwise: service.pairwise,
    pdfReport: service.pdfReport,
    reproduce: service.reproduce,
    statistics: service.statistics,
    timelapse: service.timelapse,
    ...tilesetHandlers(service.tilesets),
    getProvenance: (request) => service.getProvenance(request),
    getPoint: (request, { signal }) => service.getPoint(request, signal),
    gridTile: ({ params, query, headers }, { caller, signal }) =>
      service.gridFile(
        { signedMapId: params.map_id, geometryId: params.geometry_id, fileName: params.file_name, tile: params, query },
        headers["if-none-match"],
        caller,
        signal,
      ),
    gridFile: ({ params, query, headers }, { caller, signal }) =>
      service.gridFile(
        { signedMapId: params.map_id, geometryId: params.geometry_id, fileName: params.file_name, tile: null, query },
        headers["if-none-match"],
        caller,
        signal,
      ),
    listMapTypes: async (request, { caller }) => service.listMapTypes(caller, request),
    listMapTypesShort: async (request, { caller }) => service.listMapTypes(caller, request),
    mapGroupsOfMap: ({ map_id: signedMapId }) => service.mapGroupsOfMap(signedMapId),
    mapTypeOfMap: ({ map_id: signedMapId }) => service.mapTypeOfMap(signedMapId),
  };
}
