import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Whole } from "../whole-column.ts";

/** Row types of migrations 0046, 0047 and 0051. */
export interface MonitorTables {
  monitors: {
    id: string;
    serial: GeneratedAlways<number>;
    owner_id: string;
    query_id: string;
    name: string;
    enabled: boolean;
    stop_reason: string | null;
    /** JSON. */
    map_types: string;
    budget_micro: Whole;
    /** JSON. */
    rule: string;
    rule_number: Generated<number>;
    min_valid_share: number;
    project: string | null;
    base_url: string;
    look_every_minutes: Generated<number>;
    look_overlap_days: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  monitor_looks: {
    monitor_id: string;
    provider: string;
    due_at: Date | null;
    claimed_until: Date | null;
    looked_until: Date;
    target: Date | null;
    position: Generated<number>;
    last_look_at: Date | null;
    failures: Generated<number>;
    failed_at: Date | null;
    failure: string | null;
  };
  monitor_months: {
    monitor_id: string;
    /** YYYY-MM. */
    month: string;
    reserved_micro: Generated<number>;
    spent_micro: Generated<number>;
  };
  monitor_scenes: {
    serial: GeneratedAlways<number>;
    monitor_id: string;
    scene_id: string;
    status: Generated<string>;
    tries: Generated<number>;
    due_at: Date;
    message: string | null;
    skip_reason: string | null;
    pipeline_id: string | null;
    month: string | null;
    reserved_micro: Generated<number>;
    charged_micro: Generated<number>;
    accepted_micro: number | null;
    acquired_at: Date | null;
    rule_number: number | null;
    area_values: ColumnType<unknown, string | undefined, string>;
    alert_areas: ColumnType<unknown, string | undefined, string>;
    matched_at: Date;
    finished_at: Date | null;
  };
}
