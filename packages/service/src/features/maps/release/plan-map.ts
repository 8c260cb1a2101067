import { centroid } from "@swath/kernel/geometry/centroid";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { coverTiles } from "@swath/kernel/tiles/cover";
import { finestResolutionM, maxZoom } from "@swath/kernel/tiles/max-zoom";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ReleasedPart } from "../released-part.ts";
import type { ListedTile } from "../signed-map-id.ts";

/** The plan of one map, or the reason why there is none. */
export type MapPlan =
  | { readonly kind: "map"; readonly maxZoom: number; readonly tiles: readonly ListedTile[] }
  | { readonly kind: "refused"; readonly errorCode: ErrorCode; readonly errorMessage: string };

/**
 * Plans a map of a released part of a scene.
 *
 * @param analysisResolutionM effective resolution of analyses of the dataset, metres
 */
export function planMap(
  { scene, raster }: StoredScene,
  mapType: MapTypeDescriptor,
  { area, inside }: ReleasedPart,
  analysisResolutionM: number,
): MapPlan {
  const acceptance = mapType.accepts(
    scene,
    raster.bands.map((band) => band.role),
  );
  if (!acceptance.accepted) {
    return { kind: "refused", errorCode: acceptance.errorCode, errorMessage: acceptance.errorMessage };
  }
  const [, latitudeDeg] = centroid(scene.footprint);
  // Maps of the pixels themselves go as deep as the finest band, analyses as deep as their dataset allows.
  const resolutionM = mapType.rendering.kind === "composite" ? finestResolutionM(scene.bands) : analysisResolutionM;
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
