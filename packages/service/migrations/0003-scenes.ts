import { sql, type Kysely } from "kysely";

/** Scenes: narrow rows to search, and beside them the documents that only answers need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Lets one GiST index hold the dataset and the time beside the box. Trusted: the owner of the database may create it.
  await sql`create extension if not exists btree_gist`.execute(db);
  await sql`
    create table scene_datasets (
      dataset_key integer generated always as identity,
      provider text collate "C" not null,
      dataset text collate "C" not null,
      constraint scene_datasets_pkey primary key (dataset_key),
      constraint scene_datasets_name_unique unique (provider, dataset)
    )
  `.execute(db);
  // footprint: the codec of the kernel. bbox: unwrapped, its east side exceeds 180 across the antimeridian.
  await sql`
    create table scenes (
      scene_key bigint generated always as identity,
      scene_id text collate "C" not null,
      dataset_key integer not null,
      acquired_at timestamptz not null,
      bbox box not null,
      footprint bytea not null,
      area_km2 double precision not null,
      ingested boolean not null,
      content_hash text collate "C",
      constraint scenes_pkey primary key (scene_key),
      constraint scenes_scene_id_unique unique (scene_id),
      constraint scenes_dataset_fkey foreign key (dataset_key) references scene_datasets (dataset_key),
      constraint scenes_area_finite check (area_km2 >= 0 and area_km2 < 'infinity')
    )
  `.execute(db);
  // Serves search: all three conditions are answered by one descent per dataset.
  await sql`create index scenes_search on scenes using gist (dataset_key, bbox, acquired_at)`.execute(db);
  // Serves the question whether a dataset has a scene large enough for a threshold.
  await sql`create index scenes_area on scenes (dataset_key, area_km2)`.execute(db);
  // Serves the question whether the same bytes were ingested before, and keeps two ingests from both answering no.
  await sql`
    create unique index scenes_content_hash_unique on scenes (dataset_key, content_hash) where content_hash is not null
  `.execute(db);
  // document: the scene but its footprint. raster: where its pixels are; null while the store has none.
  await sql`
    create table scene_documents (
      scene_key bigint not null,
      document jsonb not null,
      raster jsonb,
      created_at timestamptz not null default now(),
      constraint scene_documents_pkey primary key (scene_key),
      constraint scene_documents_scene_fkey foreign key (scene_key) references scenes (scene_key) on delete cascade
    )
  `.execute(db);
}
