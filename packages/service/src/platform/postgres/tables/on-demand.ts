import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Time = ColumnType<Date, Date | undefined, Date>;

export interface IngestionsTable {
  target_id: string;
  pipeline_id: string;
  plan: string;
  updated_at: Time;
}

export interface IngestionWaitersTable {
  waiter_id: string;
  target_id: string;
  seen_at: Time;
}

export interface IngestionPartsTable {
  target_id: string;
  plan: string;
  raster: number;
  part: JSONColumnType<object>;
  keys: string[];
  created_at: Generated<Date>;
}

export interface RetiredBlobsTable {
  key: string;
  remove_at: Date;
}

/** Row types of migration 0008. */
export interface OnDemandTables {
  ingestions: IngestionsTable;
  ingestion_waiters: IngestionWaitersTable;
  ingestion_parts: IngestionPartsTable;
  retired_blobs: RetiredBlobsTable;
}
