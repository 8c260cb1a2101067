import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  count_datacube_batch: "da22c2c7bc98890ff0a042988d0fab26ef1c15f4067497fda91eaf261e70c880",
  datacube_now: "ea19291edadba0804f90233b4b460b1bf1e4972b453048c89fbca9306d69c197",
  publish_datacube_batch: "bab59cc2d62828780b39a2ff7a725046f7f79594c21053bc0b643189fdbcdcdc",
};

/** Datapoints of areas over time, and the products made of them. A pipeline may keep several files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAreas(db);
  await createPoints(db);
  await replaceFunctions(db, functions);
  // At the commit: the transaction may have begun long before.
  await sql`
    create constraint trigger datacube_batches_publish after insert on datacube_batches
    deferrable initially deferred for each row execute function publish_datacube_batch()`.execute(db);
  await createProducts(db);
  await sql`
    alter table map_downloads drop constraint map_downloads_pkey,
      add constraint map_downloads_pkey primary key (pipeline_id, file_name)`.execute(db);
}

async function createAreas(db: Kysely<unknown>): Promise<void> {
  // group_id: the group that writes, null after its removal. shared: whether others with the permission read.
  await sql`
    create table datacube_projects (
      project text collate "C" not null,
      group_id text,
      shared boolean not null,
      name text not null,
      description text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint datacube_projects_pkey primary key (project),
      constraint datacube_projects_group_fkey foreign key (group_id) references groups (id) on delete set null
    )`.execute(db);
  await sql`create index datacube_projects_group on datacube_projects (group_id)`.execute(db);
  // geometry: JSON text of the MultiPolygon. box: the rectangle around it, degrees.
  await sql`
    create table datacube_aois (
      aoi_key integer generated always as identity,
      project text collate "C" not null,
      aoi_id text collate "C" not null,
      name text not null,
      tags text[] not null,
      country_code text,
      valid_from timestamptz,
      valid_to timestamptz,
      geometry_id text collate "C" not null,
      geometry text not null,
      byte_length integer not null,
      area_km2 double precision not null,
      centroid_lon double precision not null,
      centroid_lat double precision not null,
      box box not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint datacube_aois_pkey primary key (aoi_key),
      constraint datacube_aois_id_unique unique (project, aoi_id),
      constraint datacube_aois_project_fkey foreign key (project) references datacube_projects (project)
    )`.execute(db);
}

async function createPoints(db: Kysely<unknown>): Promise<void> {
  // The counts are of visible points; the trigger that makes them visible writes them.
  await sql`
    create table datacube_series (
      series_id integer generated always as identity,
      project text collate "C" not null,
      algorithm text collate "C" not null,
      source text collate "C" not null,
      unit text not null,
      description text not null default '',
      cadence text not null default '',
      datapoint_count bigint not null default 0,
      aoi_count integer not null default 0,
      start_at timestamptz,
      end_at timestamptz,
      last_first_seen timestamptz,
      constraint datacube_series_pkey primary key (series_id),
      constraint datacube_series_unique unique (project, algorithm, source),
      constraint datacube_series_project_fkey foreign key (project) references datacube_projects (project)
    )`.execute(db);
  await sql`
    create table datacube_series_versions (
      series_id integer not null,
      version text collate "C" not null,
      datapoint_count bigint not null,
      constraint datacube_series_versions_pkey primary key (series_id, version)
    )`.execute(db);
  await sql`
    create table datacube_series_aois (
      series_id integer not null,
      aoi_key integer not null,
      constraint datacube_series_aois_pkey primary key (series_id, aoi_key)
    )`.execute(db);
  // first_seen: null until the commit.
  await sql`
    create table datacube_batches (
      batch_id bigint generated always as identity,
      first_seen timestamptz,
      constraint datacube_batches_pkey primary key (batch_id)
    )`.execute(db);
  await sql`create index datacube_batches_seen on datacube_batches (first_seen)`.execute(db);
  // provenance: JSON text of what the value was made of.
  await sql`
    create table datacube_points (
      series_id integer not null,
      aoi_key integer not null,
      batch_id bigint not null,
      start_at timestamptz not null,
      end_at timestamptz not null,
      version text collate "C" not null,
      value double precision not null,
      confidence real,
      cloud_cover real,
      scene_id text,
      map_id text,
      provenance text,
      constraint datacube_points_period_check check (start_at <= end_at),
      constraint datacube_points_series_fkey foreign key (series_id) references datacube_series (series_id),
      constraint datacube_points_aoi_fkey foreign key (aoi_key) references datacube_aois (aoi_key),
      constraint datacube_points_batch_fkey foreign key (batch_id) references datacube_batches (batch_id)
    )`.execute(db);
  // The newest version of a period comes first.
  await sql`
    create unique index datacube_points_key
    on datacube_points (series_id, aoi_key, start_at, end_at, version desc)`.execute(db);
  await sql`create index datacube_points_batch on datacube_points (batch_id)`.execute(db);
  await sql`
    create trigger datacube_points_append_only before update or delete on datacube_points
    for each row execute function refuse_change()`.execute(db);
}

async function createProducts(db: Kysely<unknown>): Promise<void> {
  // Append-only: a product is read with the definition that it had at the time. document: JSON of the definition.
  await sql`
    create table datacube_products (
      product_id text collate "C" not null,
      revision integer not null,
      document text not null,
      first_seen timestamptz not null,
      constraint datacube_products_pkey primary key (product_id, revision)
    )`.execute(db);
  await sql`
    create trigger datacube_products_append_only before update or delete on datacube_products
    for each row execute function refuse_change()`.execute(db);
}
