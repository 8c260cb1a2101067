import type { ColumnType, GeneratedAlways } from "kysely";

export interface OrganizationsTable {
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

export interface AuditLogTable {
  id: GeneratedAlways<number>;
  at: Date;
  actor_kind: string;
  actor_id: string | null;
  actor_email: string | null;
  request_id: string | null;
  action: string;
  target_kind: string;
  target_id: string;
  before: ColumnType<unknown, string | null, never>;
  after: ColumnType<unknown, string | null, never>;
}

/** Row types of migration 0011; the columns it adds are in `identity.ts`. */
export interface OrganizationTables {
  audit_log: AuditLogTable;
  organizations: OrganizationsTable;
}
