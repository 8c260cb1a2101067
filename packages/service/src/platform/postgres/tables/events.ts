import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Whole } from "../whole-column.ts";

/** Row types of migration 0035. */
export interface EventTables {
  events: {
    serial: GeneratedAlways<number>;
    /** Given after the commit, in the order that readers follow; null until then. */
    position: Whole | null;
    id: Generated<string>;
    type: string;
    subject: string;
    user_id: string | null;
    group_id: string | null;
    organization_id: string | null;
    data: ColumnType<Readonly<Record<string, unknown>>, string, never>;
    created_at: Generated<Date>;
  };
  event_marks: {
    /** `placed`, or the name of a reader that keeps its place. */
    name: string;
    position: Whole;
  };
  webhooks: {
    id: string;
    serial: GeneratedAlways<number>;
    owner_id: string;
    url: string;
    /** Empty for all. */
    types: string[];
    description: string;
    /** Sealed. */
    secret: Buffer;
    /** Sealed; signs too until `previous_until`. */
    previous_secret: Buffer | null;
    previous_until: Date | null;
    enabled: boolean;
    disabled_reason: string | null;
    /** Of the first failure after which nothing was delivered. */
    failing_since: Date | null;
    leased_by: string | null;
    leased_until: Date | null;
    served_at: Generated<Date>;
    created_at: Date;
    updated_at: Date;
  };
  webhook_deliveries: {
    webhook_id: string;
    position: Whole;
    event_serial: Whole;
    subject: string;
    status: Generated<string>;
    /** In the present round; a replay begins another. */
    attempts: Generated<number>;
    due_at: Generated<Date>;
    /** The last attempts. */
    log: ColumnType<readonly unknown[], string | undefined, string>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
}
