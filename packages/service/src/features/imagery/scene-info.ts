import { areaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { canonicalMultiPolygon, clockwiseExteriors } from "@swath/kernel/geometry/canonical";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { isStoreTile } from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SceneInfoRequest } from "@swath/contract/features/imagery/contract";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { SceneInfoRecord } from "./scene-record.ts";

export interface SceneInfoInput {
  readonly record: SceneInfoRecord;
  /** Whether all pixels of the scene are in the store. */
  readonly ingested: boolean;
  /** Whether scenes of the dataset are ingested by store tiles. */
  readonly hasStoreTiles: boolean;
}

function invalidTiles(message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `/tiles: ${message}`, { details: [{ path: "/tiles", message }] });
}

async function partInTiles(
  areas: Pick<Areas, "inStoreTiles">,
  { crsEpsg, footprint }: Scene,
  tiles: readonly (readonly number[])[],
  signal: AbortSignal,
): Promise<MultiPolygon> {
  const named = tiles.map((tile) => {
    if (!isStoreTile(tile)) throw invalidTiles(`[${tile.join(", ")}] is no store tile, expected two integers`);
    return tile;
  });
  try {
    return (await areas.inStoreTiles(footprint, { tiles: named, crsEpsg }, signal)).part;
  } catch (error) {
    if (error instanceof RangeError) throw invalidTiles(error.message);
    throw error;
  }
}

function withFootprint(scene: Scene, area: MultiPolygon): Scene {
  const footprint = canonicalMultiPolygon(area);
  return { ...scene, footprint: clockwiseExteriors(footprint), areaKm2: roundAreaKm2(areaKm2(footprint)) };
}

/**
 * A scene with the footprint a request asks for: whole, what the store has of it, or what is in some store tiles.
 *
 * @throws {ServiceError} DATA-NOT-AVAILABLE when nothing of it is in the store but only that is wanted;
 *   VALIDATION-ERROR when the dataset has no store tiles; EXTENT-HAS-NO-INTERSECTION when the tiles miss the scene
 */
export async function sceneInfo(
  areas: Pick<Areas, "inStoreTiles">,
  { record, ingested, hasStoreTiles }: SceneInfoInput,
  request: SceneInfoRequest,
  signal: AbortSignal,
): Promise<Scene> {
  let { scene } = record;
  if (request.forceOffline === true && !ingested) {
    const storedArea = record.storedArea ?? null;
    if (storedArea === null) {
      throw new ServiceError("DATA-NOT-AVAILABLE", `nothing of scene ${scene.sceneId} is in the store`);
    }
    scene = withFootprint(scene, storedArea);
  }
  if (request.tiles === undefined) return scene;
  if (!hasStoreTiles) {
    throw invalidTiles(`dataset ${scene.dataset} keeps scenes whole in the store, it has no store tiles`);
  }
  const common = await partInTiles(areas, scene, request.tiles, signal);
  if (common.coordinates.length === 0) {
    throw new ServiceError(
      "EXTENT-HAS-NO-INTERSECTION",
      `none of the ${request.tiles.length} store tiles has a part of scene ${scene.sceneId}`,
    );
  }
  return withFootprint(scene, common);
}
