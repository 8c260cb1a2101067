import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** Keys `scenes/<scene>/…` that a scene, a finished raster of an ingestion or a removal to come names. */
export async function findNamedSceneBlobs(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select a.key from unnest(${[...keys]}::text[]) as a (key)
    where exists (select from retired_blobs r where r.key = a.key)
      or exists (
        select from ingestion_parts p where p.target_id = split_part(a.key, '/', 2) and a.key = any(p.keys)
      )
      or exists (
        select from scenes s join scene_documents d on d.scene_key = s.scene_key
        where s.scene_id = split_part(a.key, '/', 2) and strpos(d.raster::text, '"' || a.key || '"') > 0
      )`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** Keys `uploads/<upload>.<suffix>` whose uploads have a row. */
export async function findNamedUploads(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select a.key from unnest(${[...keys]}::text[]) as a (key)
    where exists (
      select from uploads u where 'uploads/' || u.upload_id || u.suffix = a.key and u.status <> 'gone'
        and u.upload_id = split_part(split_part(a.key, '/', 2), '.', 1)
    )`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
