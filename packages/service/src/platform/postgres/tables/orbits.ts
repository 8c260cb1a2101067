import type { ColumnType } from "kysely";

/** Row types of migration 0010. */
export interface OrbitTables {
  scene_orbits: {
    scene_key: number;
    /** A list of `[timeMs, x, y, z, vx, vy, vz]`. */
    vectors: ColumnType<unknown, string, string>;
  };
}
