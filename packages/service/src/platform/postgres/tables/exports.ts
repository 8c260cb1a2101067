import type { ColumnType } from "kysely";

/** Row types of migration 0009. */
export interface ExportTables {
  image_exports: {
    pipeline_id: string;
    scene_id: string;
    /** Name, size and hash of each finished file. */
    files: ColumnType<unknown, string, string>;
    expires_at: Date;
  };
}
