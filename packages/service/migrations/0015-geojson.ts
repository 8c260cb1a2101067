import { sql, type Kysely } from "kysely";

/** Geometries by the hash of their content, and the features of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The type json keeps the text as it was written: numbers with their digits, members in their order.
  await sql`
    create table geojson_geometries (
      geometry_id text collate "C" not null,
      geometry json not null,
      byte_length integer not null,
      created_at timestamptz not null,
      constraint geojson_geometries_pkey primary key (geometry_id)
    )`.execute(db);

  // byte_length is that of the properties. feature_key orders features by their creation, across equal clock readings.
  await sql`
    create table geojson_features (
      feature_key bigint generated always as identity,
      feature_id text collate "C" not null,
      user_id text not null,
      geometry_id text collate "C" not null,
      properties json not null,
      byte_length integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint geojson_features_pkey primary key (feature_id),
      constraint geojson_features_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
      constraint geojson_features_geometry_id_fkey foreign key (geometry_id) references geojson_geometries (geometry_id)
    )`.execute(db);
  // Serves the list of a user's features, newest first.
  await sql`create unique index geojson_features_user_idx on geojson_features (user_id, feature_key)`.execute(db);
}
