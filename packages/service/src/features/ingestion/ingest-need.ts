import { createHash } from "node:crypto";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { canonicalMultiPolygon } from "@swath/kernel/geometry/canonical";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { clippedSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import {
  storeTileGrid,
  storeTilesOf,
  uniqueStoreTiles,
  type StoreTile,
  type StoreTileGrid,
} from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { DatasetDescriptor } from "../../providers/provider.ts";

/** Which part of a scene is asked for; both null mean the whole of it. */
export interface RequestedPart {
  /** Normal form. */
  readonly extent: MultiPolygon | null;
  /** Store tiles of a dataset that has them; they take precedence over the extent. */
  readonly tiles: readonly (readonly [number, number])[] | null;
}

/** What has to be in the store for a request, by the way in which the dataset is ingested. */
export type IngestNeed =
  | { readonly kind: "whole"; readonly targetId: string }
  /** Tiles of the grid of store tiles, or of a finer one: see `storeTileGrid`. */
  | {
      readonly kind: "tiles";
      readonly targetId: string;
      readonly tiles: readonly StoreTile[];
      readonly divisor: number;
    }
  /** `targetId` is the clipped child that an ingest of exactly this footprint makes. */
  | { readonly kind: "clipped"; readonly targetId: string; readonly footprint: MultiPolygon };

/** Half a square metre: neighbours that touch have no area in common but what floating point leaves. */
const MIN_AREA_KM2 = 5e-7;
/** Share of an area that overlay noise and the rounding of coordinates may leave uncovered. */
const COVER_TOLERANCE = 1e-6;

async function inside(
  areas: Pick<Areas, "intersection">,
  scene: Scene,
  extent: MultiPolygon,
  signal: AbortSignal,
): Promise<MultiPolygon> {
  const part = await areas.intersection(extent, scene.footprint, signal);
  if (areaKm2(part) < MIN_AREA_KM2) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", `the extent does not intersect the scene ${scene.sceneId}`);
  }
  return part;
}

function tooLarge<Result>(compute: () => Result): Result {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ServiceError("EXTENT-TOO-LARGE", cause.message, { cause });
  }
}

/** Tiles of a scene that a request needs, those outside the scene left out. */
function neededTiles(
  scene: Scene,
  part: MultiPolygon,
  tiles: RequestedPart["tiles"],
  divisor: number,
): readonly StoreTile[] {
  const grid = storeTileGrid(scene.crsEpsg, divisor);
  const possible = tooLarge(() => storeTilesOf(part, grid));
  const wanted = tiles === null ? null : new Set(tiles.map(([x, y]) => `${x} ${y}`));
  const needed = wanted === null ? possible : possible.filter((tile) => wanted.has(storeTileAround(tile, divisor)));
  if (needed.length === 0) {
    throw new ServiceError(
      "EXTENT-HAS-NO-INTERSECTION",
      `${tiles === null ? "the extent" : "no requested store tile"} intersects the scene ${scene.sceneId}`,
    );
  }
  return needed;
}

/** The store tile that holds a tile of a finer grid. */
function storeTileAround([x, y]: StoreTile, divisor: number): string {
  return `${Math.floor(x / divisor)} ${Math.floor(y / divisor)}`;
}

/** Of coordinates as they are answered, so that equal requests are equal whatever made them. */
function hashOf(area: MultiPolygon): string {
  return createHash("sha256").update(JSON.stringify(area.coordinates)).digest("hex");
}

/**
 * What a request needs of a scene that is not cut already.
 *
 * @param dataset `tileDivisor` is that of the grid by which scenes are ingested in parts, null when they are not
 * @throws {ServiceError} EXTENT-HAS-NO-INTERSECTION; EXTENT-TOO-LARGE when it takes too many store tiles;
 * UNSUPPORTED-IMAGERY when the identifier leaves no room for that of a child
 */
export async function ingestNeed(
  areas: Pick<Areas, "intersection">,
  scene: Scene,
  dataset: Pick<DatasetDescriptor, "clip"> & { readonly tileDivisor: number | null },
  { extent, tiles }: RequestedPart,
  signal: AbortSignal,
): Promise<IngestNeed> {
  const { sceneId } = scene;
  const { tileDivisor: divisor } = dataset;
  if (divisor !== null) {
    const part = extent === null || tiles !== null ? scene.footprint : await inside(areas, scene, extent, signal);
    return { kind: "tiles", targetId: sceneId, tiles: neededTiles(scene, part, tiles, divisor), divisor };
  }
  if (dataset.clip !== "required") return { kind: "whole", targetId: sceneId };
  const cut = extent === null ? scene.footprint : await inside(areas, scene, extent, signal);
  const footprint = canonicalMultiPolygon(cut);
  try {
    return { kind: "clipped", targetId: clippedSceneId(sceneId, hashOf(footprint)), footprint };
  } catch (cause) {
    throw new ServiceError("UNSUPPORTED-IMAGERY", `parts of the scene ${sceneId} cannot be named`, { cause });
  }
}

/** Whether an area lies within a footprint, but for overlay noise and rounding. */
export async function isCovered(
  areas: Pick<Areas, "intersection">,
  area: MultiPolygon,
  footprint: MultiPolygon,
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = areaKm2(area);
  return wanted - areaKm2(await areas.intersection(area, footprint, signal)) <= COVER_TOLERANCE * wanted;
}

/** Tiles of the first list that the second one lacks. */
export function tilesLacking(wanted: readonly StoreTile[], present: readonly StoreTile[]): readonly StoreTile[] {
  const there = new Set(present.map(([x, y]) => `${x} ${y}`));
  return wanted.filter(([x, y]) => !there.has(`${x} ${y}`));
}

function hasAllTiles(scene: Scene, tiles: readonly StoreTile[], grid: StoreTileGrid): boolean {
  try {
    return tilesLacking(storeTilesOf(scene.footprint, grid), tiles).length === 0;
  } catch (error) {
    // A scene of the whole world has more tiles than are ever counted.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The part of a scene whose pixels its tiles hold; null when that is all of it. */
export async function partInTiles(
  areas: Pick<Areas, "inStoreTiles">,
  scene: Scene,
  tiles: readonly StoreTile[],
  divisor: number,
  signal: AbortSignal,
): Promise<MultiPolygon | null> {
  const grid = storeTileGrid(scene.crsEpsg, divisor);
  if (hasAllTiles(scene, tiles, grid)) return null;
  const wanted = { tiles: uniqueStoreTiles(tiles), crsEpsg: scene.crsEpsg, divisor };
  return (await areas.inStoreTiles(scene.footprint, wanted, signal)).part;
}
