import type { Generated, GeneratedAlways } from "kysely";
import type { Whole } from "../whole-column.ts";

/** Row types of migrations 0042 and 0055. */
export interface StandingQueryTables {
  standing_queries: {
    id: string;
    serial: GeneratedAlways<number>;
    owner_id: string;
    /** `user` or `monitor`. */
    purpose: string;
    name: string;
    enabled: boolean;
    /** JSON. */
    criteria: string;
    /** GeoJSON. */
    areas: string;
    area_count: number;
    /** Areas times datasets. */
    box_count: number;
    created_at: Date;
    updated_at: Date;
  };
  standing_query_areas: {
    query_id: string;
    position: number;
    /** JSON of the places, features and bytes of the areas. */
    members: string;
    /** Encoded by the kernel's footprint codec, one after the other. */
    areas: Uint8Array;
  };
  standing_query_boxes: {
    serial: GeneratedAlways<number>;
    query_id: string;
    position: number;
    dataset_key: number;
    /** Text of a `box`. */
    bbox: string;
  };
  standing_query_datasets: {
    query_id: string;
    dataset_key: number;
  };
  standing_query_matches: {
    serial: GeneratedAlways<number>;
    query_id: string;
    scene_key: Whole;
    taken: boolean;
    matched_at: Date;
  };
  scene_arrivals: {
    serial: GeneratedAlways<number>;
    scene_key: Whole;
    after_box: Generated<number>;
  };
}
