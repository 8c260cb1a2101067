import { areaKm2 } from "@swath/kernel/geometry/area";
import { centroid } from "@swath/kernel/geometry/centroid";
import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { coverTiles } from "@swath/kernel/tiles/cover";
import { analysisResolutionM, finestResolutionM, maxZoom } from "@swath/kernel/tiles/max-zoom";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ListedTile } from "./signed-map-id.ts";

/** What a release computes for one map type and scene: a map, or the reason why there is none. */
export type MapPlan =
  | { readonly kind: "map"; readonly maxZoom: number; readonly tiles: readonly ListedTile[] }
  | { readonly kind: "refused"; readonly errorCode: ErrorCode; readonly errorMessage: string };

/** Half a square metre: neighbours that touch have no area in common but what floating point leaves. */
const MIN_AREA_KM2 = 5e-7;

/** Where maps of one scene are wanted. */
export interface ReleasedPart {
  /** The released area; decides the zoom of the tiles. */
  readonly area: MultiPolygon;
  /** Its part inside the scenes; decides which tiles remain. */
  readonly inside: MultiPolygon;
}

/** The part that all of the scenes have. Worked out once for all map types of a scene: cutting detailed outlines is what a release takes longest for. */
export function releasedPart(scenes: readonly Pick<Scene, "footprint">[], area: MultiPolygon): ReleasedPart {
  const inside = scenes.reduce((part, { footprint }) => intersection(part, footprint), area);
  return { area, inside: areaKm2(inside) < MIN_AREA_KM2 ? { type: "MultiPolygon", coordinates: [] } : inside };
}

/** Plans a map of a released part of a scene. */
export function planMap(
  { scene, raster }: StoredScene,
  mapType: MapTypeDescriptor,
  { area, inside }: ReleasedPart,
): MapPlan {
  const acceptance = mapType.accepts(
    scene,
    raster.bands.map((band) => band.role),
  );
  if (!acceptance.accepted) {
    return { kind: "refused", errorCode: acceptance.errorCode, errorMessage: acceptance.errorMessage };
  }
  const [, latitudeDeg] = centroid(scene.footprint);
  // Maps of the pixels themselves go as deep as the finest band, analyses as deep as the specification says.
  const resolutionM =
    mapType.rendering.kind === "composite" ? finestResolutionM(scene.bands) : analysisResolutionM(scene.provider);
  const deepest = maxZoom(latitudeDeg, resolutionM);
  const tiles = coverTiles(area, inside, deepest);
  if (tiles.length === 0) {
    return {
      kind: "refused",
      errorCode: "ZERO-TILES-AVAILABLE",
      errorMessage: `the extent has no area in common with the scene ${scene.sceneId}`,
    };
  }
  return { kind: "map", maxZoom: deepest, tiles: tiles.map(([zoom, x, y]) => ({ x, y, zoom })) };
}
