import { decodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Db } from "../../platform/context.ts";
import { toRow, toScene } from "./scene-record.ts";
import * as store from "./store.ts";

/** What the table knew of scenes when a search met them, by identifier. */
export type KnownScenes = ReadonlyMap<string, store.KnownSceneRow>;

export interface RememberedScene {
  readonly sceneKey: number;
  /** With the footprint and area that every later answer has. */
  readonly scene: Scene;
}

export interface RememberOptions {
  readonly known: KnownScenes;
  readonly now: Date;
  /** Rows that were refreshed before this moment are brought up to date. */
  readonly staleBefore: Date;
  readonly datasetKeyOf: (scene: Scene) => Promise<number>;
}

export function byId(rows: readonly store.KnownSceneRow[]): Map<string, store.KnownSceneRow> {
  return new Map(rows.map((row) => [row.scene_id, row]));
}

/**
 * Gives scenes of sources rows in the table, so that cursors and later requests can name them. What is ingested is
 * left alone. Scenes whose metadata make no row are left out of the answer, which is by identifier.
 */
export async function rememberScenes(
  db: Db,
  scenes: readonly Scene[],
  { known, now, staleBefore, datasetKeyOf }: RememberOptions,
): Promise<ReadonlyMap<string, RememberedScene>> {
  const rows = new Map<string, store.NewSceneRow>();
  for (const scene of scenes) {
    const datasetKey = await datasetKeyOf(scene);
    try {
      rows.set(scene.sceneId, toRow({ scene, raster: null, contentHash: null }, datasetKey, now));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const all = [...rows.values()];
  const fresh = all.filter(({ sceneId }) => !known.has(sceneId));
  const stale = all.filter(({ sceneId }) => {
    const row = known.get(sceneId);
    return row !== undefined && !row.ingested && (row.refreshed_at === null || row.refreshed_at < staleBefore);
  });
  const keys = new Map([...known.values()].map((row) => [row.scene_id, row.scene_key]));
  for (const row of await store.insertScenes(db, fresh)) keys.set(row.scene_id, row.scene_key);
  // A rival may have inserted some of them first.
  const rivals = fresh.filter(({ sceneId }) => !keys.has(sceneId)).map(({ sceneId }) => sceneId);
  if (rivals.length > 0) {
    for (const row of await store.readKnown(db, rivals)) keys.set(row.scene_id, row.scene_key);
  }
  await store.refreshScenes(db, stale);
  const remembered = new Map<string, RememberedScene>();
  for (const [sceneId, row] of rows) {
    const sceneKey = keys.get(sceneId);
    if (sceneKey === undefined) continue;
    remembered.set(sceneId, { sceneKey, scene: toScene(row.document, decodeFootprint(row.footprint)) });
  }
  return remembered;
}
