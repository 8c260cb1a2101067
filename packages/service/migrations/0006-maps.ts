import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // The geometry a map was released for, and sub-geometries to download from it; the id is the hash of the content.
  await sql`
    create table map_geometries (
      geometry_id text constraint map_geometries_pkey primary key,
      geometry jsonb not null
    )`.execute(db);

  // One row per computed map, shared by everyone who releases the same type of the same scene over the same
  // geometry; the id is the hash of those inputs. Who may see it is decided when a signed map ID is handed out.
  await sql`
    create table maps (
      map_id text constraint maps_pkey primary key,
      scene_id text not null,
      map_type text not null,
      version integer not null,
      geometry_id text not null constraint maps_geometry_fkey references map_geometries,
      max_zoom integer not null,
      tiles jsonb not null,
      created_at timestamptz not null,
      constraint maps_inputs_key unique (scene_id, map_type, version, geometry_id)
    )`.execute(db);

  // Secret of the signed map IDs where the configuration gives none: one row.
  await sql`
    create table map_signing_keys (
      id integer constraint map_signing_keys_pkey primary key constraint map_signing_keys_single_check check (id = 1),
      secret bytea not null
    )`.execute(db);
}
