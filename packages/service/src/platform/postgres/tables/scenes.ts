import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** Row types of migration 0003. */
export interface SceneTables {
  scene_datasets: {
    dataset_key: GeneratedAlways<number>;
    provider: string;
    dataset: string;
  };
  scenes: {
    scene_key: GeneratedAlways<number>;
    scene_id: string;
    dataset_key: number;
    acquired_at: Date;
    /** Text of a `box`; unwrapped, its east side exceeds 180 across the antimeridian. */
    bbox: string;
    /** Encoded by the kernel's footprint codec. */
    footprint: Uint8Array;
    area_km2: number;
    /** Whether the pixels are in the store. */
    ingested: boolean;
    content_hash: string | null;
  };
  scene_documents: {
    scene_key: number;
    /** The scene but its footprint. */
    document: ColumnType<unknown, string, string>;
    raster: ColumnType<unknown, string | null, string | null>;
    created_at: Generated<Date>;
  };
}
