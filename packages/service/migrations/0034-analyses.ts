import { sql, type Kysely } from "kysely";

/** Saved projects, the people with rights on them, and their frames. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // serial orders analyses by their creation. document: JSON of the members that the service does not look into.
  await sql`
    create table analyses (
      id text collate "C" not null,
      serial bigint generated always as identity,
      owner_id text not null,
      version integer not null,
      path text not null,
      is_public boolean not null,
      document text not null,
      created_at timestamptz not null,
      opened_at timestamptz not null,
      constraint analyses_pkey primary key (id),
      constraint analyses_serial_unique unique (serial),
      constraint analyses_owner_fkey foreign key (owner_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index analyses_owner on analyses (owner_id, serial desc)`.execute(db);
  await sql`
    create table analysis_users (
      analysis_id text collate "C" not null,
      role text not null,
      user_id text not null,
      position integer not null,
      constraint analysis_users_pkey primary key (analysis_id, role, user_id),
      constraint analysis_users_role_check check (role in ('editor', 'viewer', 'watchdog')),
      constraint analysis_users_analysis_fkey foreign key (analysis_id) references analyses (id) on delete cascade,
      constraint analysis_users_user_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index analysis_users_of on analysis_users (user_id, analysis_id)`.execute(db);
  await sql`
    create table analysis_groups (
      analysis_id text collate "C" not null,
      role text not null,
      group_id text not null,
      position integer not null,
      constraint analysis_groups_pkey primary key (analysis_id, role, group_id),
      constraint analysis_groups_role_check check (role in ('editor', 'viewer')),
      constraint analysis_groups_analysis_fkey foreign key (analysis_id) references analyses (id) on delete cascade,
      constraint analysis_groups_group_fkey foreign key (group_id) references groups (id) on delete cascade
    )`.execute(db);
  await sql`create index analysis_groups_of on analysis_groups (group_id, analysis_id)`.execute(db);
  // scene: JSON of what the scene was when the frame was made. outcome: JSON of results and actions. finished: number
  // of map types with a map.
  await sql`
    create table analysis_frames (
      id text collate "C" not null,
      analysis_id text collate "C" not null,
      position integer not null,
      scene_id text not null,
      scene text not null,
      only_ingested boolean not null,
      outcome text not null,
      finished integer not null,
      constraint analysis_frames_pkey primary key (id),
      constraint analysis_frames_position_unique unique (analysis_id, position),
      constraint analysis_frames_analysis_fkey foreign key (analysis_id) references analyses (id) on delete cascade
    )`.execute(db);
  await sql`create unique index analysis_frames_scene on analysis_frames (analysis_id, scene_id)`.execute(db);
  // Pipelines that add maps; whether one is under way follows from the pipeline.
  await sql`
    create table analysis_runs (
      pipeline_id text collate "C" not null,
      analysis_id text collate "C" not null,
      constraint analysis_runs_pkey primary key (pipeline_id),
      constraint analysis_runs_analysis_fkey foreign key (analysis_id) references analyses (id) on delete cascade
    )`.execute(db);
  await sql`create index analysis_runs_of on analysis_runs (analysis_id)`.execute(db);
}
