/** Row types of migration 0004. */
export interface UploadTables {
  uploads: {
    upload_id: string;
    user_id: string;
    group_id: string;
    filename: string;
    suffix: ".geotiff" | ".zip";
    /** Arrives as text from the driver; statements cast it. */
    size_bytes: number | string;
    status: "open" | "complete" | "used" | "gone";
    scene_id: string | null;
    created_at: Date;
    expires_at: Date;
  };
}
