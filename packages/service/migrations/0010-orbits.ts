import { sql, type Kysely } from "kysely";

/** Orbits of complex radar scenes, which baselines are computed from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // vectors: a list of [milliseconds since 1970, x, y, z, vx, vy, vz], earth-fixed metres and metres per second.
  await sql`
    create table scene_orbits (
      scene_key bigint not null,
      vectors jsonb not null,
      constraint scene_orbits_pkey primary key (scene_key),
      constraint scene_orbits_scene_fkey foreign key (scene_key) references scenes (scene_key) on delete cascade
    )
  `.execute(db);
}
