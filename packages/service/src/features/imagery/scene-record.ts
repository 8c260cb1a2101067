import { createHash } from "node:crypto";
import { decodeFootprint, encodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import { clockwiseExteriors } from "@swath/kernel/geometry/canonical";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { canonicalFootprint, sceneOutline } from "@swath/kernel/scenes/scene-outline";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { parseInstant } from "@swath/kernel/time/instant";
import { timestampText } from "../../platform/postgres/timestamp-text.ts";
import { PUBLIC, type SceneRights } from "./visibility.ts";
import type { NewSceneRow, SceneInfoRow, SceneRow } from "./store.ts";

/** A scene the service knows; `raster` null while its pixels are not in the store. */
export interface SceneRecord {
  readonly scene: Scene;
  readonly raster: StoredRaster | null;
  readonly contentHash: string | null;
  /** Scene that this one is cut from; absent or null when it is whole. */
  readonly parentId?: string | null;
  /** The part whose pixels are in the store, while that is neither all nor nothing of the scene. */
  readonly storedArea?: MultiPolygon | null;
  /** Public without an owner unless given; a scene that is cut from another one has the rights of that one. */
  readonly rights?: SceneRights;
  /** Edits since the ingest. */
  readonly revision?: number;
}

/** The scene but its footprint, as stored. */
type SceneDocument = Omit<Scene, "footprint">;

/**
 * The row of a scene. Its footprint is brought into canonical normal form and its area computed from that, so that
 * ratios, prices and answers all speak about the same polygon.
 *
 * @param refreshedAt when a source had the scene; null for what no source can give again
 * @throws {RangeError} if the datetime cannot be read or the footprint has no area
 */
export function toRow(record: SceneRecord, datasetKey: number, refreshedAt: Date | null = null): NewSceneRow {
  const { scene, raster, contentHash, parentId = null, storedArea = null, rights = PUBLIC } = record;
  const acquiredMs = parseInstant(scene.datetime);
  if (acquiredMs === null) throw new RangeError(`scene ${scene.sceneId} has the datetime "${scene.datetime}"`);
  const { bounds, footprint, areaKm2 } = sceneOutline(scene.footprint);
  const { footprint: _, ...document } = { ...scene, areaKm2 };
  return {
    sceneId: scene.sceneId,
    datasetKey,
    acquiredAt: timestampText(new Date(Math.floor(acquiredMs / 1000) * 1000)),
    bounds,
    footprint,
    areaKm2,
    contentHash,
    parentId,
    storedArea: storedArea === null ? null : encodeFootprint(canonicalFootprint(storedArea)),
    refreshedAt: refreshedAt === null ? null : timestampText(refreshedAt),
    ...rights,
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
    ...toSceneInfo(row),
    raster: row.raster as StoredRaster | null,
    contentHash: hashOfRevision(row),
    parentId: row.parent_id,
    revision: row.revision,
  };
}

/** Results and pictures are kept under it: an edited scene has other ones. */
function hashOfRevision({ content_hash: hash, revision }: Pick<SceneRow, "content_hash" | "revision">): string | null {
  if (hash === null || revision === 0) return hash;
  return createHash("sha256").update(`${hash}\n${revision}`).digest("hex");
}

/** What is known of a scene without what only its pixels need. */
export type SceneInfoRecord = Pick<SceneRecord, "scene" | "storedArea">;

export function toSceneInfo(row: SceneInfoRow): SceneInfoRecord {
  return {
    scene: toScene(row.document, decodeFootprint(row.footprint)),
    storedArea: row.stored_area === null ? null : clockwiseExteriors(decodeFootprint(row.stored_area)),
  };
}
