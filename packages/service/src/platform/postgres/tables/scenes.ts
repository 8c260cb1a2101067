import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** Row types of migrations 0003, 0007, 0021, 0031 and 0064. */
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
    /** Scene that this one is cut from. */
    parent_id: string | null;
    /** The part that is in the store while it is neither all nor nothing; encoded as `footprint`. */
    stored_area: Uint8Array | null;
    /** Group or user that ingested the scene, as `group:ID` or `user:ID`; null for scenes of catalogues. */
    owner: Generated<string | null>;
    /** The owner, or `organization:ID`; null for everybody. */
    audience: Generated<string | null>;
    /** Edits since the ingest. */
    revision: Generated<number>;
    deleted_at: Generated<Date | null>;
    /** When a sweep looks at a deleted scene; null while it is not deleted. */
    purge_at: Generated<Date | null>;
    /** Whether it is the scene of a registered item, whose pixels are read from their files. */
    registered: Generated<boolean>;
  };
  /** Documents before an edit. */
  scene_revisions: {
    scene_key: number;
    revision: number;
    document: ColumnType<unknown, string, string>;
    raster: ColumnType<unknown, string | null, string | null>;
  };
  scene_documents: {
    scene_key: number;
    /** The scene but its footprint. */
    document: ColumnType<unknown, string, string>;
    raster: ColumnType<unknown, string | null, string | null>;
    created_at: Generated<Date>;
    /** When a source last had the scene; null when no source can give it again. */
    refreshed_at: Date | null;
    /** JSON of a registered item; null for other scenes. */
    item: Generated<string | null>;
  };
}
