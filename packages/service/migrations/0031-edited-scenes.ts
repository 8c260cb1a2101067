import { sql, type Kysely } from "kysely";

/**
 * Owners edit and delete their scenes. An edit makes a new revision; maps keep the revision of their release. A deleted
 * scene is hidden, can be restored for a day, and its rows and pixels go afterwards unless maps or paid area need them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table scenes
      add column revision integer not null default 0,
      add column deleted_at timestamptz,
      add column purge_at timestamptz,
      add constraint scenes_purge_check check ((deleted_at is null) = (purge_at is null))
  `.execute(db);
  // Serves lists of the scenes of an owner, newest ingest first.
  await sql`create index scenes_owner_idx on scenes (owner, scene_key) where owner is not null`.execute(db);
  // Serves the sweep of deleted scenes.
  await sql`create index scenes_purge_idx on scenes (purge_at) where purge_at is not null`.execute(db);
  // Documents of earlier revisions, which maps were released with.
  await sql`
    create table scene_revisions (
      scene_key bigint not null,
      revision integer not null,
      document jsonb not null,
      raster jsonb,
      constraint scene_revisions_pkey primary key (scene_key, revision),
      constraint scene_revisions_scene_fkey foreign key (scene_key) references scenes (scene_key) on delete cascade
    )
  `.execute(db);
  await sql`alter table maps add column scene_revision integer not null default 0`.execute(db);
  // Serves the question whether a map of several scenes needs a scene.
  await sql`create index maps_scene_ids_idx on maps using gin (scene_ids) where scene_ids is not null`.execute(db);
  // Serves the question whether any group holds area of a scene.
  await sql`create index credit_coverage_scene_idx on credit_coverage (scene_key)`.execute(db);
}
