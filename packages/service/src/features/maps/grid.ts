import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { PlacedObject } from "@swath/kernel/analysis/placed-object";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { isTile } from "@swath/kernel/tiles/tile";
import { LRUCache } from "lru-cache";
import type { Static } from "typebox";
import { ServiceError } from "../../errors.ts";
import type { MapTypeDescriptor } from "../../map-types/map-type.ts";
import { mapTypes as registry } from "../../map-types/registry.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Caller, Db, FileAnswer } from "../../platform/context.ts";
import type { GridFile, GridRenderer, GridRequest } from "../../platform/raster-io/grid-renderer.ts";
import type { SceneLookup } from "./scene-lookup.ts";
import type { GridQuery } from "./contract.ts";
import { requireResult, type Results } from "./analysis/results.ts";
import { etagOf, matchesEtag } from "./etag.ts";
import { objectsIn } from "./objects-in-tile.ts";
import { includesTile, type MapClaims, type MapIdSigner } from "./signed-map-id.ts";
import type { ResultRow } from "./analysis/result-store.ts";
import * as store from "./store.ts";

export interface GridFileRequest {
  readonly signedMapId: string;
  /** `-` for the released area. */
  readonly geometryId: string;
  readonly fileName: string;
  /** Null for the whole area in one file. */
  readonly tile: { readonly z: number; readonly x: number; readonly y: number } | null;
  readonly query: Static<typeof GridQuery>;
}

export interface GridDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly imagery: SceneLookup;
  readonly signer: MapIdSigner;
  readonly renderer: Pick<GridRenderer, "render">;
  readonly results: Pick<Results, "read" | "objects">;
  /** Memory for rendered files; 0 keeps none. */
  readonly renderedCacheBytes: number;
}

export type GridFiles = (
  request: GridFileRequest,
  ifNoneMatch: string | undefined,
  caller: Caller,
  signal: AbortSignal,
) => Promise<FileAnswer>;

/** Everything a file of a map is drawn from, so that a hot tile needs no SQL. */
interface LoadedMap {
  readonly map: store.MapWithGeometry;
  readonly mapType: MapTypeDescriptor;
  readonly stored: StoredScene;
  /** The released area, or the sub-geometry's share of it. */
  readonly clip: MultiPolygon;
  /** What it is drawn from when that is not the scene. */
  readonly result: LoadedResult | null;
}

interface LoadedResult {
  readonly row: ResultRow;
  /** Read when a file first asks for it. */
  readonly objects: () => Promise<readonly PlacedObject[]>;
}

/** Products that hold the objects themselves or count them. */
const PRODUCTS_WITH_OBJECTS = new Set(["objects", "result-metadata", "shapefile", "archive"]);

const TILE_SIDE_PX = 512;
/** Files of version 372 and below. */
const LEGACY_TILE_SIDE_PX = 256;
const LAST_LEGACY_VERSION = 372;
/** Longest side of a file that covers the whole area. */
const WHOLE_AREA_MAX_SIDE_PX = 2048;
/** Scenes with many bands and detailed footprints decode to about 100 kB. */
const LOADED_MAPS = 1000;
/** A removed or replaced scene is noticed after this long. */
const LOADED_MAP_TTL_MS = 10 * 60 * 1000;
const MAX_AGE_S = 365 * 24 * 60 * 60;

function isOn(flag: string | undefined): boolean {
  return flag !== undefined && (flag === "1" || flag.toLowerCase() === "true");
}

function requireThreshold(threshold: number | undefined): void {
  if (threshold === undefined || Math.abs(threshold) <= 1) return;
  const message = `must be from -1 to 1, got ${threshold}`;
  throw new ServiceError("VALIDATION-ERROR", `user_threshold ${message}`, {
    details: [{ path: "/user_threshold", message }],
  });
}

function hasFile({ gridFiles }: MapTypeDescriptor, fileName: string): boolean {
  return Object.values(gridFiles).some((names) => names.includes(fileName));
}

function bytesOf(file: GridFile): number {
  return file.kind === "file" ? file.body.byteLength + 200 : 200;
}

function requireTile(claims: MapClaims, request: GridFileRequest): void {
  if (request.tile === null) return;
  const { z, x, y } = request.tile;
  if (!isTile(z, x, y) || !includesTile(claims.tiles, [z, x, y])) {
    throw new ServiceError("TILE-NOT-INCLUDED", `the map ID does not include the tile ${z}/${x}/${y}`);
  }
}

function requireFile({ map, mapType }: LoadedMap, { fileName, tile }: GridFileRequest): void {
  if (!hasFile(mapType, fileName)) {
    const names = Object.values(mapType.gridFiles).flat().join(", ");
    throw new ServiceError("TILE-NOT-FOUND", `${map.mapType} has no file ${fileName}, expected one of ${names}`);
  }
  if (tile !== null && tile.z > map.maxZoom) {
    throw new ServiceError("TILE-NOT-FOUND", `the map ends at zoom ${map.maxZoom}, got ${tile.z}`);
  }
}

function requireUnclipped(caller: Caller): void {
  if (!isGranted(caller.permissions, "mapsvc.download-unclipped")) {
    throw new ServiceError("NOT-AUTHORIZED", "download_unclipped needs the permission mapsvc.download-unclipped");
  }
}

async function gridRequest(loaded: LoadedMap, request: GridFileRequest): Promise<GridRequest> {
  const { map, mapType, stored, clip, result } = loaded;
  const { tile, query, fileName } = request;
  const sizePx = map.version <= LAST_LEGACY_VERSION ? LEGACY_TILE_SIDE_PX : TILE_SIDE_PX;
  return {
    mapType: map.mapType,
    version: map.version,
    rendering: mapType.rendering,
    mapId: map.mapId,
    scene: stored.scene,
    raster: result === null ? stored.raster : result.row.raster,
    ...(result === null
      ? {}
      : {
          result: {
            metadata: result.row.metadata,
            objects: wantsObjects(mapType, fileName) ? objectsIn(await result.objects(), clip, tile) : [],
          },
        }),
    window:
      tile === null
        ? { kind: "bounds", bounds: mbr(clip), maxSizePx: WHOLE_AREA_MAX_SIDE_PX }
        : { kind: "tile", z: tile.z, x: tile.x, y: tile.y, sizePx },
    clip: isOn(query.download_unclipped) ? null : clip,
    fileName,
    percentileStretch: isOn(query.percentile_stretch),
    userThreshold: query.user_threshold ?? null,
    forceDownload: isOn(query.force_download),
  };
}

function wantsObjects({ rendering }: MapTypeDescriptor, fileName: string): boolean {
  const product = rendering.kind === "result" ? rendering.products[fileName] : undefined;
  return product !== undefined && PRODUCTS_WITH_OBJECTS.has(product.kind);
}

/** Everything that decides the bytes; known without reading a pixel. */
function etagOfRequest(wanted: GridRequest, contentHash: string, geometryId: string): string {
  const { mapId, version, window, fileName, percentileStretch, userThreshold, forceDownload } = wanted;
  const clip = wanted.clip === null ? null : geometryId;
  return etagOf([mapId, version, contentHash, clip, window, fileName, percentileStretch, userThreshold, forceDownload]);
}

export function createGridFiles({
  db,
  clock,
  imagery,
  signer,
  renderer,
  results,
  renderedCacheBytes,
}: GridDeps): GridFiles {
  const loaded = new LRUCache<string, Promise<LoadedMap>>({ max: LOADED_MAPS, ttl: LOADED_MAP_TTL_MS });
  const rendered =
    renderedCacheBytes > 0
      ? new LRUCache<string, GridFile>({ maxSize: renderedCacheBytes, sizeCalculation: bytesOf })
      : null;

  async function load(mapId: string, geometryId: string): Promise<LoadedMap> {
    const map = await store.readMap(db, mapId);
    const mapType = map === null ? undefined : registry.get(map.mapType);
    const stored = map === null ? null : await imagery.stored(map.sceneId);
    if (map === null || mapType === undefined || stored === null) {
      throw new ServiceError("INVALID-MAP-ID", "the map no longer exists: release it again");
    }
    const result = map.resultId === null ? null : await loadResult(map.resultId);
    if (geometryId === "-" || geometryId === map.geometryId) {
      return { map, mapType, stored, clip: map.geometry, result };
    }
    const sub = await store.readGeometry(db, geometryId);
    if (sub === null) throw new ServiceError("NON-EXISTENT-GEOMETRY", `there is no sub-geometry ${geometryId}`);
    return { map, mapType, stored, clip: intersection(sub, map.geometry), result };
  }

  async function loadResult(resultId: string): Promise<LoadedResult> {
    const row = requireResult(await results.read(resultId));
    let objects: Promise<readonly PlacedObject[]> | null = null;
    return {
      row,
      objects: () => {
        objects ??= results.objects(row).catch((error: unknown) => {
          objects = null;
          throw error;
        });
        return objects;
      },
    };
  }

  async function loadOnce(mapId: string, geometryId: string): Promise<LoadedMap> {
    const key = `${mapId}/${geometryId}`;
    const known = loaded.get(key);
    if (known !== undefined) return await known;
    const loading = load(mapId, geometryId);
    loaded.set(key, loading);
    try {
      return await loading;
    } catch (error) {
      loaded.delete(key);
      throw error;
    }
  }

  return async (request, ifNoneMatch, caller, signal) => {
    requireThreshold(request.query.user_threshold);
    const claims = await signer.verify(request.signedMapId);
    requireTile(claims, request);
    const unclipped = isOn(request.query.download_unclipped);
    if (unclipped) requireUnclipped(caller);
    const map = await loadOnce(claims.mapId, request.geometryId);
    requireFile(map, request);

    const wanted = await gridRequest(map, request);
    const etag = etagOfRequest(wanted, map.stored.contentHash, request.geometryId);
    const lifeS = Math.max(0, Math.min(MAX_AGE_S, claims.exp - Math.floor(clock.now().getTime() / 1000)));
    const headers = {
      etag,
      "cache-control": `${unclipped ? "private" : "public"}, immutable, max-age=${lifeS}`,
    };
    if (matchesEtag(ifNoneMatch, etag)) return { status: 304, body: null, headers };

    const cached = rendered?.get(etag);
    const file = cached ?? (await renderer.render(wanted, signal));
    if (cached === undefined) rendered?.set(etag, file);
    if (file.kind === "outside") throw new ServiceError("TILE-NOT-FOUND", "the scene has no data there");
    if (file.kind === "empty") return { status: 204, body: null, headers };
    return { status: 200, mediaType: file.mediaType, body: file.body, contentLength: file.body.byteLength, headers };
  };
}
