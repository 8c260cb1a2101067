import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** A registered item of a scene. */
export interface StoredItemRow {
  readonly provider: string;
  readonly dataset: string;
  /** JSON. */
  readonly item: string | null;
}

/** Null for scenes that are not registered. */
export async function readStoredItem(db: Db, sceneId: string): Promise<StoredItemRow | null> {
  const { rows } = await sql<StoredItemRow>`
    select n.provider, n.dataset, d.item
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    join scene_datasets n on n.dataset_key = s.dataset_key
    where s.scene_id = ${sceneId} and s.registered
  `.execute(db);
  return rows[0] ?? null;
}

export async function isRegistered(db: Db, sceneId: string): Promise<boolean> {
  const { rows } = await sql<{ registered: boolean }>`
    select registered from scenes where scene_id = ${sceneId}
  `.execute(db);
  return rows[0]?.registered === true;
}
