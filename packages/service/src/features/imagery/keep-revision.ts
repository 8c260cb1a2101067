import { sql } from "kysely";
import type { Trx } from "../../platform/context.ts";

/** Keeps the documents of a scene under its revision, before it gets others. */
export async function keepRevision(trx: Trx, sceneKey: number): Promise<void> {
  await sql`
    insert into scene_revisions (scene_key, revision, document, raster)
    select s.scene_key, s.revision, d.document, d.raster
    from scenes s
    join scene_documents d on d.scene_key = s.scene_key
    where s.scene_key = ${sceneKey}::bigint
  `.execute(trx);
}
