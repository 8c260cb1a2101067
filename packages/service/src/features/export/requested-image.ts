import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import {
  isStoreTile,
  storeTileGrid,
  storeTilesOf,
  uniqueStoreTiles,
  type StoreTile,
} from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { DatasetDescriptor } from "../../providers/provider.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { GetImageRequest } from "@swath/contract/features/export/contract";

/** Which part of a scene an export is about. */
export interface RequestedImage {
  /** The extent in normal form; null when it was not given. */
  readonly extent: MultiPolygon | null;
  /** Store tiles that are needed; null where the dataset has none. */
  readonly tiles: readonly StoreTile[] | null;
  /** The part of the scene that is delivered and, where it has a price, must be allocated. */
  readonly part: MultiPolygon;
  /** What the rectangle of the image is laid around; null for all the pixels there are. */
  readonly around: MultiPolygon | null;
}

/** Half a square metre: neighbours that touch have no area in common but what floating point leaves. */
const MIN_AREA_KM2 = 5e-7;

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path.slice(1)} ${message}`, { details: [{ path, message }] });
}

/** The extent of a request in normal form; null when it has none. @throws {ServiceError} as `Areas.read` */
export async function requestedExtent(
  areas: Pick<Areas, "read">,
  { extent }: GetImageRequest,
  signal: AbortSignal,
): Promise<MultiPolygon | null> {
  if (extent === undefined) return null;
  return await areas.read(extent, { path: "/extent", maxLatitudeDeg: 90, sceneCount: 1 }, signal);
}

/** A scene of which a part is requested. */
export interface ImageSubject {
  readonly scene: Scene;
  readonly dataset: Pick<DatasetDescriptor, "dataset" | "hasStoreTiles">;
  /** Of the request, in normal form; null for the whole scene. */
  readonly extent: MultiPolygon | null;
}

/**
 * The part of a scene that a request asks for.
 *
 * @throws {ServiceError} VALIDATION-ERROR where members contradict each other or the dataset, EXTENT-HAS-NO-INTERSECTION,
 *   EXTENT-TOO-LARGE when it takes too many store tiles
 */
export async function requestedImage(
  areas: Pick<Areas, "inStoreTiles" | "intersection">,
  request: GetImageRequest,
  { scene, dataset, extent }: ImageSubject,
  signal: AbortSignal,
): Promise<RequestedImage> {
  if (request.exportRaster !== undefined && request.resolution !== undefined) {
    throw invalid("/resolution", "cannot be given together with exportRaster, which is never rescaled");
  }
  const inScene =
    extent === null
      ? scene.footprint
      : withArea(await areas.intersection(extent, scene.footprint, signal), scene, "the extent");
  if (!dataset.hasStoreTiles) {
    for (const member of ["tiles", "exportRaster"] as const) {
      if (request[member] !== undefined) {
        throw invalid(`/${member}`, `cannot be given: dataset ${dataset.dataset} has no store tiles`);
      }
    }
    return { extent, tiles: null, part: inScene, around: extent === null ? null : inScene };
  }
  const grid = storeTileGrid(scene.crsEpsg);
  const met = tooLarge(() => storeTilesOf(inScene, grid));
  const tiles = request.tiles === undefined ? met : chosen(request.tiles, met, scene);
  if (request.exportRaster !== undefined) {
    const { ground, part } = await areas.inStoreTiles(scene.footprint, { tiles, crsEpsg: scene.crsEpsg }, signal);
    return { extent, tiles, part, around: ground };
  }
  if (request.tiles === undefined) return { extent, tiles, part: inScene, around: inScene };
  const inTiles = await areas.inStoreTiles(inScene, { tiles, crsEpsg: scene.crsEpsg }, signal);
  const part = withArea(inTiles.part, scene, "the extent within the store tiles");
  return { extent, tiles, part, around: part };
}

function withArea(part: MultiPolygon, scene: Scene, what: string): MultiPolygon {
  if (areaKm2(part) < MIN_AREA_KM2) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", `${what} does not intersect the scene ${scene.sceneId}`);
  }
  return part;
}

/** Of the tiles that the extent meets, those that the request names. */
function chosen(
  named: readonly (readonly [number, number])[],
  met: readonly StoreTile[],
  scene: Scene,
): readonly StoreTile[] {
  const wrong = named.findIndex((tile) => !isStoreTile(tile));
  if (wrong >= 0) throw invalid(`/tiles/${wrong}`, "must be the index of a store tile");
  const wanted = new Set(uniqueStoreTiles(named).map(String));
  const tiles = met.filter((tile) => wanted.has(String(tile)));
  if (tiles.length > 0) return tiles;
  throw new ServiceError(
    "EXTENT-HAS-NO-INTERSECTION",
    `no named store tile meets the extent and the scene ${scene.sceneId}`,
  );
}

function tooLarge<Result>(compute: () => Result): Result {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ServiceError("EXTENT-TOO-LARGE", cause.message, { cause });
  }
}
