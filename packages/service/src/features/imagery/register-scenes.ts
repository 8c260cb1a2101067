import type { Db, Trx } from "../../platform/context.ts";
import { datasetNameOf } from "./dataset-keys.ts";
import { toRow, type SceneRecord } from "./scene-record.ts";
import { PUBLIC } from "./visibility.ts";
import { recordIngested } from "./scene-event.ts";
import * as store from "./store.ts";

const INSERT_BATCH = 1000;

/** Makes a scene known; a scene that is known by identifier or content stays as it is. */
export async function registerScene(trx: Trx, record: SceneRecord): Promise<void> {
  const added = await store.insertScenes(trx, [await rowIn(trx, record)]);
  if (added.length > 0) await recordIngested(trx, record.scene, record.rights ?? PUBLIC);
}

/** Gives a scene its pixels, or other ones; an unknown scene becomes known. */
export async function keepPixels(trx: Trx, record: SceneRecord, complete: boolean): Promise<void> {
  const row = await rowIn(trx, record);
  if (await store.updatePixels(trx, row, complete)) return;
  await store.insertScenes(trx, [row]);
  // Inserted rows count as complete, and a rival may have been faster.
  await store.updatePixels(trx, row, complete);
}

/** Makes many scenes known in batches; answers how many were new. */
export async function insertScenes(db: Db, scenes: Iterable<SceneRecord>): Promise<number> {
  const keys = new Map<string, number>();
  let inserted = 0;
  let batch: store.NewSceneRow[] = [];
  for (const one of scenes) {
    const { provider, dataset } = one.scene;
    const name = datasetNameOf(one.scene);
    const key = keys.get(name) ?? (await store.ensureDataset(db, provider, dataset));
    keys.set(name, key);
    batch.push(toRow(one, key));
    if (batch.length === INSERT_BATCH) {
      inserted += (await store.insertScenes(db, batch)).length;
      batch = [];
    }
  }
  return inserted + (await store.insertScenes(db, batch)).length;
}

async function rowIn(trx: Trx, record: SceneRecord): Promise<store.NewSceneRow> {
  const { provider, dataset } = record.scene;
  return toRow(record, await store.ensureDataset(trx, provider, dataset));
}
