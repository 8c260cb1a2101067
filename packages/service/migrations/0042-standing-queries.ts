import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  note_changed_scene: "14e212d6cffdefde139521147171eb089232f67fe7f9bb36b2aa3546a93472b5",
  note_new_scenes: "dc4305ae3bf958e6a1bdca5d953cfe6759145768abe3c0201c10d882db198f2e",
};

/** Searches that are kept, and the scenes that wait to be matched with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createQueries(db);
  // Scenes that became known or visible. after_box: how far a scene with many candidates has been matched.
  await sql`
    create table scene_arrivals (
      serial bigint generated always as identity,
      scene_key bigint not null,
      after_box bigint not null default 0,
      constraint scene_arrivals_pkey primary key (serial),
      constraint scene_arrivals_scene_fkey foreign key (scene_key) references scenes (scene_key) on delete cascade
    )`.execute(db);
  await sql`create index scene_arrivals_scene on scene_arrivals (scene_key)`.execute(db);
  await replaceFunctions(db, functions);
  await sql`
    create trigger scenes_note_new after insert on scenes
    referencing new table as added for each statement execute function note_new_scenes()`.execute(db);
  await sql`
    create trigger scenes_note_changed after update of ingested, audience, deleted_at, acquired_at, footprint on scenes
    for each row when (
      new.deleted_at is null and (
        (new.ingested and not old.ingested)
        or (old.audience is not null and new.audience is distinct from old.audience)
        or old.deleted_at is not null
        or (new.owner is not null
          and (new.acquired_at is distinct from old.acquired_at or new.footprint is distinct from old.footprint))
      )
    )
    execute function note_changed_scene()`.execute(db);
}

async function createQueries(db: Kysely<unknown>): Promise<void> {
  // purpose: whose it is, the user's or a feature's of the service. criteria: JSON of the conditions. areas: GeoJSON.
  await sql`
    create table standing_queries (
      id text collate "C" not null,
      serial bigint generated always as identity,
      owner_id text not null,
      purpose text not null,
      name text not null,
      enabled boolean not null,
      criteria text not null,
      areas text not null,
      area_count integer not null,
      box_count integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint standing_queries_pkey primary key (id),
      constraint standing_queries_purpose_check check (purpose in ('user', 'monitor')),
      constraint standing_queries_owner_fkey foreign key (owner_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index standing_queries_owner on standing_queries (owner_id, purpose, serial desc)`.execute(db);
  await sql`
    create table standing_query_areas (
      query_id text collate "C" not null,
      position integer not null,
      feature_id text not null,
      area bytea not null,
      constraint standing_query_areas_pkey primary key (query_id, position),
      constraint standing_query_areas_query_fkey foreign key (query_id)
        references standing_queries (id) on delete cascade
    )`.execute(db);
  // A box for each area and dataset. bbox: unwrapped, as the boxes of scenes.
  await sql`
    create table standing_query_boxes (
      serial bigint generated always as identity,
      query_id text collate "C" not null,
      position integer not null,
      dataset_key integer not null,
      bbox box not null,
      constraint standing_query_boxes_pkey primary key (serial),
      constraint standing_query_boxes_area_fkey foreign key (query_id, position)
        references standing_query_areas (query_id, position) on delete cascade
    )`.execute(db);
  await sql`create index standing_query_boxes_search on standing_query_boxes using gist (dataset_key, bbox)`.execute(
    db,
  );
  await sql`create index standing_query_boxes_area on standing_query_boxes (query_id, position)`.execute(db);
  await sql`
    create table standing_query_datasets (
      query_id text collate "C" not null,
      dataset_key integer not null,
      constraint standing_query_datasets_pkey primary key (dataset_key, query_id),
      constraint standing_query_datasets_query_fkey foreign key (query_id)
        references standing_queries (id) on delete cascade
    )`.execute(db);
  await sql`create index standing_query_datasets_query on standing_query_datasets (query_id)`.execute(db);
  // Once for each query and scene, however often the scene is looked at. taken: by the feature whose query it is.
  await sql`
    create table standing_query_matches (
      serial bigint generated always as identity,
      query_id text collate "C" not null,
      scene_key bigint not null,
      taken boolean not null,
      matched_at timestamptz not null,
      constraint standing_query_matches_pkey primary key (query_id, scene_key),
      constraint standing_query_matches_serial_unique unique (serial),
      constraint standing_query_matches_query_fkey foreign key (query_id)
        references standing_queries (id) on delete cascade,
      constraint standing_query_matches_scene_fkey foreign key (scene_key)
        references scenes (scene_key) on delete cascade
    )`.execute(db);
  await sql`create index standing_query_matches_latest on standing_query_matches (query_id, serial desc)`.execute(db);
  await sql`create index standing_query_matches_scene on standing_query_matches (scene_key)`.execute(db);
  await sql`create index standing_query_matches_waiting on standing_query_matches (serial) where not taken`.execute(db);
}
