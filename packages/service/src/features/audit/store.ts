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
  readonly maxBytes: number;
}

export async function insertEntry(trx: Trx, row: Insertable<AuditLogTable>): Promise<void> {
  await trx.insertInto("audit_log").values(row).execute();
}

/**
 * Newest first, by index whatever the filter: at most `limit` entries, and no more than `maxBytes` of what they hold,
 * but one at least.
 *
 * @returns `more`: whether there are further entries
 */
export async function selectEntries(
  db: Db,
  filter: AuditFilter,
): Promise<{ readonly rows: readonly AuditRow[]; readonly more: boolean }> {
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
  const { rows } = await sql<AuditRow & { found: number }>`
    with page as (
      select * from audit_log ${where} order by at desc, id desc limit ${filter.limit + 1}
    ), measured as (
      select *, count(*) over () as found, row_number() over place as place,
        sum(octet_length(concat(before::text, after::text))) over place as bytes
      from page window place as (order by at desc, id desc)
    )
    select id, at, (extract(epoch from at) * 1000000)::bigint::text as "atMicros", actor_kind, actor_id, actor_email,
      request_id, action, target_kind, target_id, before, after, found
    from measured where place <= ${filter.limit} and (place = 1 or bytes <= ${filter.maxBytes})
    order by place`.execute(db);
  return { rows, more: rows.length < (rows[0]?.found ?? 0) };
}
