import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** Row types of migration 0036. */
export interface DatacubeTables {
  datacube_projects: {
    project: string;
    /** The group that writes; null after its removal. */
    group_id: string | null;
    /** Whether others with the permission read. */
    shared: boolean;
    name: string;
    description: string;
    created_at: Date;
    updated_at: Date;
  };
  datacube_aois: {
    aoi_key: GeneratedAlways<number>;
    project: string;
    aoi_id: string;
    name: string;
    tags: string[];
    country_code: string | null;
    valid_from: Date | null;
    valid_to: Date | null;
    geometry_id: string;
    /** JSON text of the MultiPolygon. */
    geometry: string;
    byte_length: number;
    area_km2: number;
    centroid_lon: number;
    centroid_lat: number;
    box: ColumnType<never, string, string>;
    created_at: Date;
    updated_at: Date;
  };
  datacube_series: {
    series_id: GeneratedAlways<number>;
    project: string;
    algorithm: string;
    source: string;
    unit: string;
    description: Generated<string>;
    cadence: Generated<string>;
    datapoint_count: Generated<number>;
    aoi_count: Generated<number>;
    start_at: Date | null;
    end_at: Date | null;
    last_first_seen: Date | null;
  };
  datacube_series_versions: { series_id: number; version: string; datapoint_count: number };
  datacube_series_aois: { series_id: number; aoi_key: number };
  datacube_batches: {
    batch_id: GeneratedAlways<number>;
    /** Null until the commit. */
    first_seen: Date | null;
  };
  /** Append-only. */
  datacube_points: {
    series_id: number;
    aoi_key: number;
    batch_id: number;
    start_at: Date;
    end_at: Date;
    version: string;
    value: number;
    confidence: number | null;
    cloud_cover: number | null;
    scene_id: string | null;
    map_id: string | null;
    /** JSON text of what the value was made of. */
    provenance: string | null;
  };
  /** Append-only: revisions of definitions. */
  datacube_products: {
    product_id: string;
    revision: number;
    /** JSON. */
    document: string;
    first_seen: Date;
  };
}
