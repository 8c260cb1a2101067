import type { ColumnType, Generated } from "kysely";

/** Row types of migration 0016. */
export interface FeatureTables {
  features: {
    feature_key: Generated<number>;
    feature_id: string;
    collection: string;
    properties: ColumnType<Record<string, unknown>, string, never>;
    geometry: string | null;
    bbox: ColumnType<string | null, string | null, never>;
  };
  feature_values: {
    entry: string;
    feature_key: number;
  };
}
