import type { Geometry } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { Properties } from "@swath/contract/features/geojson/contract";

export interface FeatureRow {
  readonly featureKey: number;
  readonly featureId: string;
  readonly geometryId: string;
  readonly geometry: Geometry;
  readonly properties: Properties;
}

export interface FeatureContent {
  readonly featureId: string;
  readonly userId: string;
  readonly geometryId: string;
  /** JSON. */
  readonly properties: string;
  readonly at: Date;
}

export interface FeaturePageQuery {
  readonly userId: string;
  /** Only features made before this one. */
  readonly before: number | null;
  readonly limit: number;
  /** Content that a page holds at most, unless a single feature is larger. */
  readonly limitBytes: number;
}

/** Keeps a geometry under the hash of its content; the same one again changes nothing. */
export async function insertGeometry(db: Db, geometryId: string, json: string, at: Date): Promise<void> {
  await sql`
    insert into geojson_geometries (geometry_id, geometry, byte_length, created_at)
    values (${geometryId}, ${json}::text::json, ${Buffer.byteLength(json)}, ${at})
    on conflict (geometry_id) do nothing`.execute(db);
}

export async function readGeometry(db: Db, geometryId: string): Promise<Geometry | null> {
  const { rows } = await sql<{ geometry: Geometry }>`
    select geometry from geojson_geometries where geometry_id = ${geometryId}`.execute(db);
  return rows[0]?.geometry ?? null;
}

export async function insertFeature(trx: Trx, feature: FeatureContent): Promise<void> {
  const { featureId, userId, geometryId, properties, at } = feature;
  await sql`
    insert into geojson_features
      (feature_id, user_id, geometry_id, properties, byte_length, created_at, updated_at)
    values (${featureId}, ${userId}, ${geometryId}, ${properties}::text::json, ${Buffer.byteLength(properties)},
      ${at}, ${at})`.execute(trx);
}

/** Replaces a user's feature as a whole. @returns whether the user has it */
export async function replaceFeature(trx: Trx, feature: FeatureContent): Promise<boolean> {
  const { featureId, userId, geometryId, properties, at } = feature;
  const { numAffectedRows } = await sql`
    update geojson_features
    set geometry_id = ${geometryId}, properties = ${properties}::text::json,
      byte_length = ${Buffer.byteLength(properties)}, updated_at = ${at}
    where feature_id = ${featureId} and user_id = ${userId}`.execute(trx);
  return numAffectedRows === 1n;
}

export async function readFeature(db: Db, userId: string, featureId: string): Promise<FeatureRow | null> {
  const { rows } = await sql<FeatureRow>`
    select f.feature_key as "featureKey", f.feature_id as "featureId", f.geometry_id as "geometryId", g.geometry,
      f.properties
    from geojson_features f join geojson_geometries g on g.geometry_id = f.geometry_id
    where f.feature_id = ${featureId} and f.user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** @returns whether the user had it */
export async function deleteFeature(db: Db, userId: string, featureId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from geojson_features where feature_id = ${featureId} and user_id = ${userId}`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * A user's features, newest first, and whether there are more. Sizes are added up before any content is read, so
 * that a page of large features takes no more memory than one.
 */
export async function readFeaturePage(
  db: Db,
  { userId, before, limit, limitBytes }: FeaturePageQuery,
): Promise<{ readonly features: readonly FeatureRow[]; readonly hasMore: boolean }> {
  const { rows } = await sql<FeatureRow & { readonly found: number }>`
    with candidates as (
      select f.feature_key, f.byte_length + g.byte_length as bytes
      from geojson_features f join geojson_geometries g on g.geometry_id = f.geometry_id
      where f.user_id = ${userId}
        ${before === null ? sql`` : sql`and f.feature_key < ${before}`}
      order by f.feature_key desc
      limit ${limit + 1}
    ), counted as (
      select feature_key, row_number() over newest as place, sum(bytes) over newest as bytes, count(*) over () as found
      from candidates
      window newest as (order by feature_key desc rows unbounded preceding)
    )
    select f.feature_key as "featureKey", f.feature_id as "featureId", f.geometry_id as "geometryId", g.geometry,
      f.properties, c.found
    from counted c
      join geojson_features f on f.feature_key = c.feature_key and f.user_id = ${userId}
      join geojson_geometries g on g.geometry_id = f.geometry_id
    where c.place = 1 or (c.place <= ${limit} and c.bytes <= ${limitBytes})
    order by f.feature_key desc`.execute(db);
  return { features: rows, hasMore: rows.length < (rows[0]?.found ?? 0) };
}
