import { sql, type Kysely } from "kysely";

/** Scenes of catalogues beside those of the store: where they come from, what of them is here, how long they stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // parent_id: the scene this one is cut from. stored_area: the part whose pixels are in the store while that is
  // neither all nor nothing of it, in the codec of `footprint`.
  await sql`
    alter table scenes
      add column parent_id text collate "C",
      add column stored_area bytea
  `.execute(db);
  // Serves search in what is stored of a dataset whose other scenes are a catalogue's.
  await sql`create index scenes_stored on scenes using gist (dataset_key, bbox, acquired_at) where ingested`.execute(
    db,
  );
  await sql`create index scenes_parent on scenes (parent_id) where parent_id is not null`.execute(db);
  // When a source last had the scene; null for what no source can give again, which therefore stays.
  await sql`alter table scene_documents add column refreshed_at timestamptz`.execute(db);
  // Serves the removal of scenes nobody has asked for in a while.
  await sql`
    create index scene_documents_refreshed on scene_documents (refreshed_at) where refreshed_at is not null
  `.execute(db);
}
