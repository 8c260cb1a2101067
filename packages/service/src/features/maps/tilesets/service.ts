import type { OgcMapQuery } from "@swath/contract/features/maps/tilesets-contract";
import { mbr } from "@swath/kernel/geometry/mbr";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../../platform/context.ts";
import type { FileAnswer } from "../../../platform/sent-file.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import { tileSidePx, type GridFiles } from "../grid.ts";
import type { MapLoader } from "../grid-files/load-map.ts";
import { selectReleased, type ReleasedMap } from "../release/released-maps.ts";
import { MAP_ID_LIFETIME_S, type MapClaims, type MapIdSigner } from "../signed-map-id.ts";
import { ogcMapWindow, windowBoundsM } from "./ogc-map-window.ts";
import { pictureOf, plainBounds, type MapTileset } from "./map-tileset.ts";
import { pyramidOf, WEB_MERCATOR_URI } from "./tile-matrix-set.ts";

export interface TilesetDeps {
  readonly db: Db;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly gridFile: GridFiles;
  readonly loadMap: MapLoader;
  readonly signer: Pick<MapIdSigner, "sign" | "verify">;
}

/** Maps of a scene that are listed; each takes some statements. */
const MOST_RELEASED = 10;

interface TileRequest {
  /** The first picture of the map unless given; also as WebP. */
  readonly fileName?: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly ifNoneMatch: string | undefined;
}

export interface TilesetService {
  /** @throws {ServiceError} INVALID-MAP-ID; TILE-NOT-FOUND for a map without pictures */
  describe(signedMapId: string): Promise<MapTileset>;
  /** The newest maps of a scene that a user has released, at most ten; those without pictures are left out. */
  released(userId: string, sceneId: string): Promise<readonly MapTileset[]>;
  /**
   * A tile, or 204 where the map has nothing.
   *
   * @throws {ServiceError} TILE-NOT-FOUND for a file that is no picture of the map
   */
  tile(tileset: MapTileset, request: TileRequest, caller: Caller, signal: AbortSignal): Promise<FileAnswer>;
  /**
   * Any part of the first picture of a map with its place in headers, or 204 where the map has nothing.
   *
   * @throws {ServiceError} BAD-REQUEST for faulty parameters
   */
  picture(
    tileset: MapTileset,
    query: OgcMapQuery,
    ifNoneMatch: string | undefined,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}

/** Codes of maps that are not listed. */
const WITHOUT_PICTURES: ReadonlySet<string> = new Set(["INVALID-MAP-ID", "TILE-NOT-FOUND"]);

/** Codes of places that a map does not have: map programs end at any refusal. */
const NOWHERE: ReadonlySet<string> = new Set(["TILE-NOT-FOUND", "TILE-NOT-INCLUDED"]);

async function orNothing(file: Promise<FileAnswer>): Promise<FileAnswer> {
  try {
    return await file;
  } catch (error) {
    if (!(error instanceof ServiceError) || !NOWHERE.has(error.code)) throw error;
    return { status: 204, body: null, headers: { "cache-control": "public, max-age=86400" } };
  }
}

export function createTilesetService({ catalog, db, gridFile, loadMap, signer }: TilesetDeps): TilesetService {
  async function describe(signedMapId: string): Promise<MapTileset> {
    return await tilesetOf(signedMapId, await signer.verify(signedMapId));
  }

  async function tilesetOf(
    signedMapId: string,
    claims: Pick<MapClaims, "analysisId" | "mapId" | "tiles">,
  ): Promise<MapTileset> {
    const loaded = await loadMap(claims, "-");
    const { map, mapType, stored } = loaded;
    const [first, ...others] = mapType.gridFiles.png ?? [];
    if (first === undefined) throw new ServiceError("TILE-NOT-FOUND", `${mapType.id} has no pictures`);
    const { datetime, dataset, provider, satellite } = stored.scene;
    return {
      signedMapId,
      title: `${mapType.longName}, ${datetime.slice(0, 10)}`,
      description: `${satellite}, ${datetime} UTC, ${provider} ${dataset}`,
      datetime,
      attribution: catalog.findDataset(provider, dataset)?.dataset.attribution ?? "",
      pyramid: pyramidOf(tileSidePx(loaded)),
      pictures: [first, ...others],
      tiles: claims.tiles,
      maxZoom: map.maxZoom,
      bounds: plainBounds(mbr(loaded.clip)),
    };
  }

  async function released(userId: string, sceneId: string): Promise<readonly MapTileset[]> {
    const maps = await selectReleased(db, userId, sceneId, MOST_RELEASED);
    return (await Promise.all(maps.map(shown))).filter((tileset) => tileset !== null);
  }

  /** The ID ends as the release said. Null for a map without pictures, and for one whose type is gone. */
  async function shown({ releasedAt, ...map }: ReleasedMap): Promise<MapTileset | null> {
    const exp = Math.floor(releasedAt.getTime() / 1000) + MAP_ID_LIFETIME_S;
    try {
      return await tilesetOf(await signer.sign(map, exp), map);
    } catch (error) {
      if (error instanceof ServiceError && WITHOUT_PICTURES.has(error.code)) return null;
      throw error;
    }
  }

  async function tile(
    tileset: MapTileset,
    { fileName = tileset.pictures[0], ifNoneMatch, x, y, z }: TileRequest,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<FileAnswer> {
    pictureOf(tileset, fileName.replace(/\.webp$/u, ".png"));
    const place = { signedMapId: tileset.signedMapId, geometryId: "-", fileName, tile: { z, x, y }, query: {} };
    return await orNothing(gridFile(place, ifNoneMatch, caller, signal));
  }

  async function picture(
    tileset: MapTileset,
    query: OgcMapQuery,
    ifNoneMatch: string | undefined,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<FileAnswer> {
    const window = ogcMapWindow(query, tileset.bounds);
    const fileName = tileset.pictures[0].replace(/\.png$/u, `.${query.f ?? "png"}`);
    const request = { signedMapId: tileset.signedMapId, geometryId: "-", fileName, tile: null, query: {}, window };
    const answer = await orNothing(gridFile(request, ifNoneMatch, caller, signal));
    const place = { "content-crs": `<${WEB_MERCATOR_URI}>`, "content-bbox": windowBoundsM(window).join(",") };
    return { ...answer, headers: { ...answer.headers, ...place } };
  }

  return { describe, released, picture, tile };
}
