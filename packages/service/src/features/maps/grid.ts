import { mbr } from "@swath/kernel/geometry/mbr";
import { isGranted } from "@swath/kernel/permissions/permission";
import { isTile } from "@swath/kernel/tiles/tile";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { CacheMeters } from "../../platform/metrics/cache-meters.ts";
import type { Caller } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import type { GridFile, GridRenderer } from "@swath/maps/render/grid-renderer";
import { etagOf, matchesEtag } from "../../platform/etag.ts";
import { refuseQuery } from "./grid-files/refuse-query.ts";
import { nativePixels } from "./native-pixels.ts";
import { drawingOf, requireFile, type FileQuery } from "./grid-files/drawing.ts";
import { isOn } from "./grid-files/is-on.ts";
import type { LoadedMap, MapLoader } from "./grid-files/load-map.ts";
import { includesTile, type MapClaims, type MapIdSigner } from "./signed-map-id.ts";

interface GridFileRequest {
  readonly signedMapId: string;
  /** `-` for the released area. */
  readonly geometryId: string;
  readonly fileName: string;
  /** Null for the whole area in one file. */
  readonly tile: { readonly z: number; readonly x: number; readonly y: number } | null;
  readonly query: FileQuery;
  /** Any pixels of the plane instead of the whole area. */
  readonly window?: GridWindow;
}

export interface GridDeps {
  readonly clock: Clock;
  readonly signer: MapIdSigner;
  readonly loadMap: MapLoader;
  readonly renderer: Pick<GridRenderer, "render">;
  /** Memory for rendered files; 0 keeps none. */
  readonly renderedCacheBytes: number;
  /** Take the readings of the cache of finished files. */
  readonly caches?: Pick<CacheMeters, "add">;
}

export type GridFiles = (
  request: GridFileRequest,
  ifNoneMatch: string | undefined,
  caller: Caller,
  signal: AbortSignal,
) => Promise<FileAnswer>;

const TILE_SIDE_PX = 512;
/** Files of version 372 and below. */
const LEGACY_TILE_SIDE_PX = 256;
const LAST_LEGACY_VERSION = 372;
/** Longest side of a file that covers the whole area. */
const WHOLE_AREA_MAX_SIDE_PX = 2048;
const MAX_AGE_S = 365 * 24 * 60 * 60;
/** Time that browsers and proxies may keep a file of a revoked link. */
const LINK_MAX_AGE_S = 60;

function bytesOf(file: GridFile): number {
  return file.kind === "file" ? file.body.byteLength + 200 : 200;
}

/** Side of a tile of a map, pixels. */
export function tileSidePx({ map }: LoadedMap): number {
  return map.version <= LAST_LEGACY_VERSION ? LEGACY_TILE_SIDE_PX : TILE_SIDE_PX;
}

function freshnessOf({ linkId }: MapClaims, hidesObjects: boolean, lifeS: number): string {
  // What an analysis hides can change at any time.
  if (hidesObjects) return "no-cache";
  // A link can be revoked at any time.
  return linkId === undefined ? `immutable, max-age=${lifeS}` : `max-age=${Math.min(lifeS, LINK_MAX_AGE_S)}`;
}

function requireTile(claims: MapClaims, request: GridFileRequest): void {
  if (request.tile === null) return;
  const { z, x, y } = request.tile;
  if (!isTile(z, x, y) || !includesTile(claims.tiles, [z, x, y])) {
    throw new ServiceError("TILE-NOT-INCLUDED", `the map ID does not include the tile ${z}/${x}/${y}`);
  }
}

function requireUnclipped(caller: Caller): void {
  if (!isGranted(caller.permissions, "mapsvc.download-unclipped")) {
    throw new ServiceError("NOT-AUTHORIZED", "download_unclipped needs the permission mapsvc.download-unclipped");
  }
}

/** @throws {ServiceError} VALIDATION-ERROR beyond the side of a file, and for scenes without such a grid */
function nativeArea(loaded: LoadedMap): GridWindow {
  const pixels = nativePixels(loaded);
  if (typeof pixels === "string") refuseQuery("grid", `native: ${pixels}`);
  const longestPx = Math.max(pixels.widthPx, pixels.heightPx);
  if (longestPx > WHOLE_AREA_MAX_SIDE_PX) {
    refuseQuery(
      "grid",
      `native has ${longestPx} pixels on a side, expected at most ${WHOLE_AREA_MAX_SIDE_PX}: export the map`,
    );
  }
  return pixels;
}

function windowOf(loaded: LoadedMap, { tile, query, window }: GridFileRequest): GridWindow {
  if (window !== undefined) return window;
  if (tile === null) {
    // The sub-geometry may be one of another map.
    if (loaded.clip.coordinates.length === 0) {
      throw new ServiceError("TILE-NOT-FOUND", "the sub-geometry does not intersect the map");
    }
    if (query.grid === "native") return nativeArea(loaded);
    return { kind: "bounds", bounds: mbr(loaded.clip), maxSizePx: WHOLE_AREA_MAX_SIDE_PX };
  }
  if (query.grid === "native") refuseQuery("grid", "native is for the whole area: tiles are Web Mercator");
  if (tile.z > loaded.map.maxZoom) {
    throw new ServiceError("TILE-NOT-FOUND", `the map ends at zoom ${loaded.map.maxZoom}, got ${tile.z}`);
  }
  return { kind: "tile", z: tile.z, x: tile.x, y: tile.y, sizePx: tileSidePx(loaded) };
}

export function createGridFiles({ caches, clock, signer, loadMap, renderer, renderedCacheBytes }: GridDeps): GridFiles {
  const rendered =
    renderedCacheBytes > 0
      ? new LRUCache<string, GridFile>({ maxSize: renderedCacheBytes, sizeCalculation: bytesOf })
      : null;

  let hits = 0;
  let misses = 0;
  caches?.add("grid files", () => ({
    entries: rendered?.size ?? 0,
    bytes: rendered?.calculatedSize ?? 0,
    hits,
    misses,
  }));

  return async (request, ifNoneMatch, caller, signal) => {
    const claims = await signer.verify(request.signedMapId);
    requireTile(claims, request);
    if (isOn(request.query.download_unclipped)) requireUnclipped(caller);
    const loaded = await loadMap(claims, request.geometryId);
    requireFile(loaded.mapType, request.fileName);
    const drawing = drawingOf(loaded, request.fileName, windowOf(loaded, request), request.query);

    const { map, stored } = loaded;
    const hidden = drawing.hasObjects && loaded.hiddenTag !== null ? [loaded.hiddenTag] : [];
    const etag = etagOf([map.mapId, map.version, stored.contentHash, request.geometryId, ...drawing.inputs, ...hidden]);
    const lifeS = Math.max(0, Math.min(MAX_AGE_S, claims.exp - Math.floor(clock.now().getTime() / 1000)));
    const freshness = freshnessOf(claims, hidden.length > 0, lifeS);
    const headers = {
      etag,
      "cache-control": `${drawing.unclipped ? "private" : "public"}, ${freshness}`,
    };
    if (matchesEtag(ifNoneMatch, etag)) return { status: 304, body: null, headers };

    let file = rendered?.get(etag);
    if (file !== undefined) hits += 1;
    else {
      misses += 1;
      file = await renderer.render(await drawing.request(), signal);
      rendered?.set(etag, file);
    }
    if (file.kind === "outside") throw new ServiceError("TILE-NOT-FOUND", "the scene has no data there");
    if (file.kind === "empty") return { status: 204, body: null, headers };
    return { status: 200, mediaType: file.mediaType, body: file.body, contentLength: file.body.byteLength, headers };
  };
}
