import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** Keys `results/<result>/<owner>/…` that a finished result names, or whose owner still computes it. */
export async function findNamedResultBlobs(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select a.key from unnest(${[...keys]}::text[]) as a (key)
    join map_results r on r.result_id = split_part(a.key, '/', 2)
    where r.objects_key = a.key or strpos(r.raster::text, '"' || a.key || '"') > 0
      or (r.finished_at is null and r.owner = split_part(a.key, '/', 3) and r.lease_until > now())`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** Keys `downloads/<pipeline>/<file>` of kept files. */
export async function findNamedDownloads(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select a.key from unnest(${[...keys]}::text[]) as a (key)
    join map_downloads d on d.pipeline_id = split_part(a.key, '/', 2) and d.file_name = split_part(a.key, '/', 3)
  `.execute(db);
  return new Set(rows.map(({ key }) => key));
}
