import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

export interface MonitorRow {
  readonly id: string;
  readonly serial: number;
  readonly owner_id: string;
  readonly query_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly stop_reason: string | null;
  /** JSON. */
  readonly map_types: string;
  readonly budget_micro: number;
  /** JSON. */
  readonly rule: string;
  readonly rule_number: number;
  readonly min_valid_share: number;
  readonly project: string | null;
  readonly base_url: string;
  readonly look_every_minutes: number;
  readonly look_overlap_days: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A monitor with its query and its spending of a month. */
export interface ShownRow extends MonitorRow {
  readonly criteria: string;
  readonly area_count: number;
  readonly spent_micro: number;
  readonly reserved_micro: number;
}

export const COLUMNS = sql`m.id, m.serial, m.owner_id, m.query_id, m.name, m.enabled, m.stop_reason, m.map_types,
  m.budget_micro, m.rule, m.rule_number, m.min_valid_share, m.project, m.base_url, m.look_every_minutes,
  m.look_overlap_days, m.created_at, m.updated_at`;
const SHOWN = sql`${COLUMNS}, q.criteria, q.area_count, coalesce(h.spent_micro, 0) as spent_micro,
  coalesce(h.reserved_micro, 0) as reserved_micro`;

export async function countMonitors(trx: Trx, ownerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from monitors where owner_id = ${ownerId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

export async function insertMonitor(
  trx: Trx,
  monitor: Omit<MonitorRow, "enabled" | "rule_number" | "serial" | "stop_reason">,
): Promise<void> {
  await trx
    .insertInto("monitors")
    .values({ ...monitor, enabled: true, stop_reason: null })
    .execute();
}

/** Locks the monitor until the transaction ends; null when the owner has no such one. */
export async function lockMonitor(trx: Trx, ownerId: string, id: string): Promise<MonitorRow | null> {
  const { rows } = await sql<MonitorRow>`
    select ${COLUMNS} from monitors m where m.id = ${id} and m.owner_id = ${ownerId} for no key update`.execute(trx);
  return rows[0] ?? null;
}

export async function updateMonitor(
  trx: Trx,
  { id, ...change }: Pick<MonitorRow, "id"> & Partial<Omit<MonitorRow, "id" | "serial">>,
): Promise<void> {
  await trx.updateTable("monitors").set(change).where("id", "=", id).execute();
}

/** Scenes of a monitor that wait are due again. */
export async function awaken(trx: Trx, id: string, at: Date): Promise<void> {
  await sql`
    update monitor_scenes set due_at = ${at} where monitor_id = ${id} and status = 'WAITING' and tries = 0`.execute(
    trx,
  );
}

/** @param ownerId null: whoever owns it */
export async function readMonitor(
  db: Db,
  { id, month, ownerId }: { readonly id: string; readonly month: string; readonly ownerId: string | null },
): Promise<(ShownRow & { readonly areas: string }) | null> {
  const { rows } = await sql<ShownRow & { readonly areas: string }>`
    select ${SHOWN}, q.areas from monitors m
    join standing_queries q on q.id = m.query_id
    left join monitor_months h on h.monitor_id = m.id and h.month = ${month}
    where m.id = ${id} and (${ownerId}::text is null or m.owner_id = ${ownerId}::text)`.execute(db);
  return rows[0] ?? null;
}

export async function listMonitors(
  db: Db,
  {
    before,
    limit,
    month,
    ownerId,
  }: {
    readonly before: number | null;
    readonly limit: number;
    readonly month: string;
    readonly ownerId: string;
  },
): Promise<readonly ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    select ${SHOWN} from monitors m
    join standing_queries q on q.id = m.query_id
    left join monitor_months h on h.monitor_id = m.id and h.month = ${month}
    where m.owner_id = ${ownerId} and (${before}::bigint is null or m.serial < ${before}::bigint)
    order by m.serial desc limit ${limit}`.execute(db);
  return rows;
}
