import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

export interface AoiRow {
  readonly aoiKey: number;
  readonly aoiId: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly countryCode: string | null;
  readonly validFrom: Date | null;
  readonly validTo: Date | null;
  readonly geometryId: string;
  /** JSON text of the MultiPolygon; null unless asked for. */
  readonly geometry: string | null;
  readonly areaKm2: number;
  readonly longitude: number;
  readonly latitude: number;
}

export interface AoiCondition {
  readonly project: string;
  readonly aoiIds: readonly string[] | null;
  /** All of these. */
  readonly tags: readonly string[] | null;
  /** Name, a tag or the country code. */
  readonly label: string | null;
  /** Boxes of PostgreSQL, one of which the area meets. */
  readonly boxes: readonly string[] | null;
}

export interface CandidateAoi {
  readonly aoiKey: number;
  readonly geometry: string;
}

/** Keys of areas in ascending order. */
export async function readAoiKeys(db: Db, condition: AoiCondition, limit: number): Promise<readonly number[]> {
  const { project, aoiIds, tags, label, boxes } = condition;
  const boxList = boxes === null ? null : `{${boxes.join(";")}}`;
  const { rows } = await sql<{ aoiKey: number }>`
    select a.aoi_key as "aoiKey" from datacube_aois a
    where a.project = ${project}
      and (${aoiIds === null ? null : [...aoiIds]}::text[] is null
        or a.aoi_id = any(${aoiIds === null ? null : [...aoiIds]}::text[]))
      and (${tags === null ? null : [...tags]}::text[] is null
        or a.tags @> ${tags === null ? null : [...tags]}::text[])
      and (${label}::text is null or a.name = ${label}::text or ${label}::text = any(a.tags)
        or a.country_code = ${label}::text)
      and (${boxList}::box[] is null
        or exists (select from unnest(${boxList}::box[]) as b (box) where a.box && b.box))
    order by a.aoi_key limit ${limit}`.execute(db);
  return rows.map(({ aoiKey }) => aoiKey);
}

export async function readGeometries(db: Db, aoiKeys: readonly number[]): Promise<readonly CandidateAoi[]> {
  const { rows } = await sql<CandidateAoi>`
    select aoi_key as "aoiKey", geometry from datacube_aois
    where aoi_key = any(${[...aoiKeys]}::int[]) order by aoi_key`.execute(db);
  return rows;
}

export async function readAois(db: Db, aoiKeys: readonly number[], withGeometry: boolean): Promise<readonly AoiRow[]> {
  const { rows } = await sql<AoiRow>`
    select aoi_key as "aoiKey", aoi_id as "aoiId", name, tags, country_code as "countryCode",
      valid_from as "validFrom", valid_to as "validTo", geometry_id as "geometryId",
      case when ${withGeometry} then geometry end as geometry, area_km2 as "areaKm2", centroid_lon as longitude,
      centroid_lat as latitude
    from datacube_aois where aoi_key = any(${[...aoiKeys]}::int[]) order by aoi_key`.execute(db);
  return rows;
}
