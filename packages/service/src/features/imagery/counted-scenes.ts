import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** The members of a scene that are counted; null where it has none. */
export interface CountedSceneRow {
  readonly provider: string;
  readonly dataset: string;
  readonly cloud_cover: number | null;
  readonly off_nadir: number | null;
  /** Of the finest band. */
  readonly gsd: number | null;
}

export async function readCountedScenes(db: Db, sceneKeys: readonly number[]): Promise<readonly CountedSceneRow[]> {
  const { rows } = await sql<CountedSceneRow>`
    select document ->> 'provider' as provider, document ->> 'dataset' as dataset,
      (document ->> 'cloudCover')::float8 as cloud_cover, (document ->> 'offNadir')::float8 as off_nadir,
      (select min((band ->> 'gsd')::float8) from jsonb_array_elements(document -> 'bands') as band) as gsd
    from scene_documents where scene_key = any(${sceneKeys}::bigint[])
  `.execute(db);
  return rows;
}
