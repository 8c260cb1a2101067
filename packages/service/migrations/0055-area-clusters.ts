import { sql, type Kysely } from "kysely";

/** A row of watched areas holds neighbours: an existing area becomes a cluster of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // members: JSON of the places, features and bytes of the areas. areas: the areas, one after the other.
  await sql`
    alter table standing_query_areas rename column area to areas`.execute(db);
  await sql`alter table standing_query_areas add column members text`.execute(db);
  await sql`
    update standing_query_areas
    set members = json_build_array(
      json_build_array(position), json_build_array(feature_id), json_build_array(octet_length(areas))
    )::text`.execute(db);
  await sql`
    alter table standing_query_areas alter column members set not null, drop column feature_id`.execute(db);
}
