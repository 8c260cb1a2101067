import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // What analyses have made of scenes, under the hash of everything that decides it: shared by all who ask for the same.
  // A row that is being computed has an owner, whose lease others wait for and take over when it has ended.
  await sql`
    create table map_results (
      result_id text constraint map_results_pkey primary key,
      map_type text not null,
      algo_version integer not null,
      scene_ids text[] not null,
      parameters jsonb not null,
      owner text not null,
      lease_until timestamptz not null,
      raster jsonb,
      objects_key text,
      metadata jsonb,
      created_at timestamptz not null,
      finished_at timestamptz,
      constraint map_results_finished_check check ((finished_at is null) = (raster is null))
    )`.execute(db);

  // Maps of an analysis are drawn from its result; those of a pair or series name all their scenes.
  await sql`
    alter table maps
      add column result_id text constraint maps_result_fkey references map_results,
      add column scene_ids text[]`.execute(db);
  await sql`alter table maps drop constraint maps_inputs_key`.execute(db);
  await sql`create index maps_scene_idx on maps (scene_id)`.execute(db);
}
