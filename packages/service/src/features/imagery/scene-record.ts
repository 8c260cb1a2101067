import { canonicalMultiPolygon } from "@swath/kernel/geometry/canonical";
import { areaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { decodeFootprint, encodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import { clockwiseExteriors } from "@swath/kernel/geometry/canonical";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { parseInstant } from "@swath/kernel/time/instant";
import type { NewSceneRow, SceneRow } from "./store.ts";

/** A scene the service knows; `raster` null while its pixels are not in the store. */
export interface SceneRecord {
  readonly scene: Scene;
  readonly raster: StoredRaster | null;
  readonly contentHash: string | null;
}

/** The scene but its footprint, as stored. */
export type SceneDocument = Omit<Scene, "footprint">;

/**
 * The row of a scene. Its footprint is brought into canonical normal form and its area computed from that, so that
 * ratios, prices and answers all speak about the same polygon.
 *
 * @throws {RangeError} if the datetime cannot be read or the footprint has no area
 */
export function toRow({ scene, raster, contentHash }: SceneRecord, datasetKey: number): NewSceneRow {
  const acquiredMs = parseInstant(scene.datetime);
  if (acquiredMs === null) throw new RangeError(`scene ${scene.sceneId} has the datetime "${scene.datetime}"`);
  const split: MultiPolygon = { type: "MultiPolygon", coordinates: normalForm(scene.footprint.coordinates) };
  const footprint = canonicalMultiPolygon(split);
  const area = roundAreaKm2(areaKm2(footprint));
  if (!(area > 0)) throw new RangeError(`the footprint of scene ${scene.sceneId} has no area`);
  const { footprint: _, ...document } = { ...scene, areaKm2: area };
  return {
    sceneId: scene.sceneId,
    datasetKey,
    acquiredAt: new Date(Math.floor(acquiredMs / 1000) * 1000).toISOString(),
    bounds: mbr(footprint),
    footprint: encodeFootprint(footprint),
    areaKm2: area,
    contentHash,
    document,
    raster,
  };
}

/** A scene as answers carry it: exteriors clockwise. */
export function toScene(document: unknown, footprint: MultiPolygon): Scene {
  // Written by toRow in the same release or an older one of the same migration.
  return { ...(document as SceneDocument), footprint: clockwiseExteriors(footprint) };
}

export function toRecord(row: SceneRow): SceneRecord {
  return {
    scene: toScene(row.document, decodeFootprint(row.footprint)),
    raster: row.raster as StoredRaster | null,
    contentHash: row.content_hash,
  };
}
