import type { Visibility } from "@swath/contract/kit/schemas/visibility";
import { decodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { toScene } from "../scene-record.ts";
import { visibilityOf } from "../visibility.ts";
import type { OwnedRow } from "./owned-store.ts";

/** A deletion can be taken back for so long. */
export const RESTORABLE_MS = 24 * 60 * 60 * 1000;

/** An uploaded scene as its owner sees it. */
export interface OwnedScene {
  readonly scene: Scene;
  /** Null for scenes without pixels. */
  readonly raster: StoredRaster | null;
  readonly visibility: Visibility;
  readonly ingestedAt: Date;
  readonly revision: number;
  readonly deletedAt: Date | null;
  /** Null for scenes that are not deleted. */
  readonly restorableUntil: Date | null;
}

export function ownedScene(row: OwnedRow): OwnedScene {
  return {
    scene: toScene(row.document, decodeFootprint(row.footprint)),
    // Written by an ingest or an edit of this release or an earlier one.
    raster: row.raster as StoredRaster | null,
    visibility: visibilityOf(row.audience),
    ingestedAt: row.created_at,
    revision: row.revision,
    deletedAt: row.deleted_at,
    restorableUntil: row.deleted_at === null ? null : new Date(row.deleted_at.getTime() + RESTORABLE_MS),
  };
}
