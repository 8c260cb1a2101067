import type { ColumnType, Generated } from "kysely";

/** Row types of migration 0015. */
export interface GeojsonTables {
  geojson_geometries: {
    geometry_id: string;
    /** In canonical form, without its id. */
    geometry: ColumnType<unknown, string, never>;
    byte_length: number;
    created_at: Date;
  };
  geojson_features: {
    feature_key: Generated<number>;
    feature_id: string;
    user_id: string;
    geometry_id: string;
    properties: ColumnType<unknown, string, string>;
    byte_length: number;
    created_at: Date;
    updated_at: Date;
  };
}
