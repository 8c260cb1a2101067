import type { tilesetsContract } from "@swath/contract/features/maps/tilesets-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Handlers } from "../../../platform/context.ts";
import type { FileAnswer } from "../../../platform/sent-file.ts";
import { CONFORMANCE, landingLinks, listedTileset, wholeTileset } from "./ogc-tiles.ts";
import { pictureOf } from "./map-tileset.ts";
import type { TilesetService } from "./service.ts";
import { tileJson } from "./tile-json.ts";
import { PYRAMIDS, tileMatrixSet } from "./tile-matrix-set.ts";
import { wmtsCapabilities } from "./wmts-capabilities.ts";
import { readWmts } from "./wmts-request.ts";

export function tilesetHandlers(tilesets: TilesetService): Handlers<typeof tilesetsContract> {
  return {
    async tileJson({ map_id: signedMapId, file }, { baseUrl }) {
      const tileset = await tilesets.describe(signedMapId);
      return tileJson(tileset, pictureOf(tileset, file), baseUrl);
    },
    async mapTile({ params, headers }, { caller, signal }) {
      const { file_name: fileName, map_id: signedMapId, x, y, z } = params;
      const tileset = await tilesets.describe(signedMapId);
      const ifNoneMatch = headers["if-none-match"];
      return await tilesets.tile(tileset, { fileName, z, x, y, ifNoneMatch }, caller, signal);
    },
    async wmts({ params: { map_id: signedMapId }, query, headers }, { baseUrl, caller, signal }) {
      const tileset = await tilesets.describe(signedMapId);
      const asked = readWmts(query, tileset);
      if (asked === null) return xmlAnswer(wmtsCapabilities(tileset, baseUrl));
      return await tilesets.tile(tileset, { ...asked, ifNoneMatch: headers["if-none-match"] }, caller, signal);
    },
    async tileMatrixSets(_request, { baseUrl }) {
      return {
        tileMatrixSets: PYRAMIDS.map(({ id, title }) => ({
          id,
          title,
          links: [{ rel: "self", href: `${baseUrl}/ogc/tileMatrixSets/${id}`, type: "application/json" }],
        })),
      };
    },
    async tileMatrixSet({ tile_matrix_set_id: id }) {
      const pyramid = PYRAMIDS.find((one) => one.id === id);
      if (pyramid === undefined) throw noMatrixSet(id);
      return tileMatrixSet(pyramid);
    },
    async ogcMap({ map_id: signedMapId }, { baseUrl }) {
      const tileset = await tilesets.describe(signedMapId);
      const { attribution, description, title } = tileset;
      return { title, description, attribution, links: [...landingLinks(tileset, baseUrl)] };
    },
    async ogcConformance({ map_id: signedMapId }) {
      await tilesets.describe(signedMapId);
      return { conformsTo: [...CONFORMANCE] };
    },
    async ogcMapPicture({ params: { map_id: signedMapId }, query, headers }, { caller, signal }) {
      const tileset = await tilesets.describe(signedMapId);
      return await tilesets.picture(tileset, query, headers["if-none-match"], caller, signal);
    },
    async ogcTilesets({ map_id: signedMapId }, { baseUrl }) {
      const tileset = await tilesets.describe(signedMapId);
      const href = `${baseUrl}/ogc/maps/${signedMapId}/map/tiles`;
      return {
        tilesets: [listedTileset(tileset, baseUrl)],
        links: [{ rel: "self", href, type: "application/json" }],
      };
    },
    async ogcTileset({ map_id: signedMapId, tile_matrix_set_id: id }, { baseUrl }) {
      const tileset = await tilesets.describe(signedMapId);
      if (id !== tileset.pyramid.id) throw noMatrixSet(id);
      return wholeTileset(tileset, baseUrl);
    },
    async ogcTile({ params, headers }, { caller, signal }) {
      const { map_id: signedMapId, tile_matrix_set_id: id, tileCol: x, tileMatrix: z, tileRow: y } = params;
      const tileset = await tilesets.describe(signedMapId);
      if (id !== tileset.pyramid.id) throw noMatrixSet(id);
      return await tilesets.tile(tileset, { z, x, y, ifNoneMatch: headers["if-none-match"] }, caller, signal);
    },
  };
}

function xmlAnswer(text: string): FileAnswer {
  return {
    status: 200,
    mediaType: "application/xml; charset=utf-8",
    body: Buffer.from(text),
    headers: { "cache-control": "no-cache" },
  };
}

function noMatrixSet(id: string): ServiceError {
  return new ServiceError("NON-EXISTENT-ENDPOINT", `The map has no tile matrix set "${id.slice(0, 64)}"`);
}
