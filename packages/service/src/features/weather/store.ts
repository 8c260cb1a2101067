import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

export interface RainSceneRow {
  readonly scene_id: string;
  readonly acquired_at: Date;
  readonly document: unknown;
  readonly raster: unknown;
}

/** Public scenes of a dataset whose pixels are in the store and that begin in the window, newest first. */
export async function findStoredScenes(
  db: Db,
  dataset: { readonly provider: string; readonly dataset: string },
  from: Date,
  to: Date,
  limit: number,
): Promise<readonly RainSceneRow[]> {
  const { rows } = await sql<RainSceneRow>`
    select s.scene_id, s.acquired_at, d.document, d.raster
    from scene_datasets k
    join scenes s on s.dataset_key = k.dataset_key
    join scene_documents d on d.scene_key = s.scene_key
    where k.provider = ${dataset.provider} and k.dataset = ${dataset.dataset}
      and s.ingested and s.audience is null and s.deleted_at is null and s.acquired_at >= ${from}::timestamptz and s.acquired_at < ${to}::timestamptz
    order by s.acquired_at desc, s.scene_id
    limit ${limit}::integer`.execute(db);
  return rows;
}
