import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { AuditLogTable } from "../../platform/postgres/tables/organizations.ts";
import type { AuditPlace } from "./cursor.ts";

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly atMicros: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly request_id: string | null;
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditFilter {
  readonly actor: string | null;
  readonly action: string | null;
  readonly target: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  readonly after: AuditPlace | null;
  readonly limit: number;
}

export async function insertEntry(trx: Trx, row: Insertable<AuditLogTable>): Promise<void> {
  await trx.insertInto("audit_log").values(row).execute();
}

/** Newest first, by index whatever the filter. */
export async function selectEntries(db: Db, filter: AuditFilter): Promise<readonly AuditRow[]> {
  const { after } = filter;
  const conditions = [
    filter.actor === null ? null : sql`actor_id = ${filter.actor}`,
    filter.action === null ? null : sql`action = ${filter.action}`,
    filter.target === null ? null : sql`target_id = ${filter.target}`,
    filter.from === null ? null : sql`at >= ${filter.from}`,
    filter.to === null ? null : sql`at < ${filter.to}`,
    after === null
      ? null
      : sql`(at, id) < (timestamptz 'epoch' + ${after.atMicros}::bigint * interval '1 microsecond', ${after.id})`,
  ].filter((condition) => condition !== null);
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<AuditRow>`
    select id, at, (extract(epoch from at) * 1000000)::bigint::text as "atMicros", actor_kind, actor_id, actor_email,
      request_id, action, target_kind, target_id, before, after
    from audit_log ${where}
    order by at desc, id desc limit ${filter.limit}`.execute(db);
  return rows;
}
