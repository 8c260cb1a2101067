import { sql, type Kysely } from "kysely";

/** The feature database: documents, and beside them every scalar of theirs in an order that serves any property. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // geometry: GeoJSON as it is answered; null without one. bbox: unwrapped, its east side exceeds 180 across the
  // antimeridian.
  await sql`
    create table features (
      feature_key bigint generated always as identity,
      feature_id text collate "C" not null,
      collection text collate "C" not null,
      properties jsonb not null,
      geometry text,
      bbox box,
      constraint features_pkey primary key (feature_key),
      constraint features_feature_id_unique unique (feature_id)
    )
  `.execute(db);
  await sql`create index features_collection on features (collection, feature_key)`.execute(db);
  await sql`create index features_bbox on features using gist (bbox) include (feature_key)`.execute(db);
  // One row for each scalar at a path of a feature. entry: hash of the path, type and value, so that the values of one
  // path and type are neighbours in their own order: one index serves equality and ranges of properties nobody has
  // declared. No foreign key: a row without its feature is never found, and checking would cost more than the row.
  await sql`
    create table feature_values (
      entry text collate "C" not null,
      feature_key bigint not null,
      constraint feature_values_pkey primary key (entry, feature_key)
    )
  `.execute(db);
  // Rows are only ever added in bulk; reading from the index alone needs a vacuum now and then.
  await sql`alter table features set (autovacuum_vacuum_insert_scale_factor = 0.05)`.execute(db);
  await sql`alter table feature_values set (autovacuum_vacuum_insert_scale_factor = 0.05)`.execute(db);
}
