import type { Bounds } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { Trx } from "../../platform/context.ts";

/** An area of interest as it is kept. */
export interface AoiContent {
  readonly aoiId: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly countryCode: string | null;
  readonly validFrom: Date | null;
  readonly validTo: Date | null;
  readonly geometryId: string;
  /** JSON text of the MultiPolygon. */
  readonly geometry: string;
  readonly areaKm2: number;
  readonly centroid: readonly [lonDeg: number, latDeg: number];
  readonly bounds: Bounds;
}

/** Replaces the area of that ID as a whole. Datapoints stay with the ID. */
export async function upsertAoi(trx: Trx, project: string, aoi: AoiContent, at: Date): Promise<void> {
  const { aoiId, name, tags, countryCode, validFrom, validTo, geometryId, geometry, areaKm2, centroid, bounds } = aoi;
  const [west, south, east, north] = bounds;
  await sql`
    insert into datacube_aois (project, aoi_id, name, tags, country_code, valid_from, valid_to, geometry_id, geometry,
      byte_length, area_km2, centroid_lon, centroid_lat, box, created_at, updated_at)
    values (${project}, ${aoiId}, ${name}, ${[...tags]}::text[], ${countryCode}, ${validFrom}, ${validTo}, ${geometryId},
      ${geometry}, ${Buffer.byteLength(geometry)}, ${areaKm2}, ${centroid[0]}, ${centroid[1]},
      ${`((${west},${south}),(${east},${north}))`}::box, ${at}, ${at})
    on conflict (project, aoi_id) do update set name = excluded.name, tags = excluded.tags,
      country_code = excluded.country_code, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
      geometry_id = excluded.geometry_id, geometry = excluded.geometry, byte_length = excluded.byte_length,
      area_km2 = excluded.area_km2, centroid_lon = excluded.centroid_lon, centroid_lat = excluded.centroid_lat,
      box = excluded.box, updated_at = excluded.updated_at`.execute(trx);
}

export async function countAois(trx: Trx, project: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from datacube_aois where project = ${project}`.execute(trx);
  return rows[0]?.count ?? 0;
}
