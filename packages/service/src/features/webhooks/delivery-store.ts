import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";
import type { Attempt } from "./outcome-store.ts";

export interface DeliveryRow {
  readonly eventId: string;
  readonly position: number;
  readonly type: string;
  readonly subject: string;
  readonly status: string;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly log: readonly Attempt[];
  readonly createdAt: Date;
}

export interface DeliveryQuery {
  readonly webhookId: string;
  readonly status: string | null;
  /** Deliveries of events before this position; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** Newest first. */
export async function selectDeliveries(db: Db, query: DeliveryQuery): Promise<readonly DeliveryRow[]> {
  const { before, limit, status, webhookId } = query;
  const { rows } = await sql<DeliveryRow>`
    select e.id as "eventId", d.position, e.type, d.subject, d.status, d.attempts, d.due_at as "dueAt", d.log,
      e.created_at as "createdAt"
    from webhook_deliveries d join events e on e.serial = d.event_serial
    where d.webhook_id = ${webhookId} and (${status}::text is null or d.status = ${status})
      and (${before}::bigint is null or d.position < ${before})
    order by d.position desc limit ${limit}`.execute(db);
  return rows;
}

export interface ReplayQuery {
  readonly webhookId: string;
  readonly eventId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly status: string | null;
  readonly limit: number;
}

/** Makes deliveries that have ended wait again, the oldest first. @returns how many */
export async function replayDeliveries(db: Db, query: ReplayQuery): Promise<number> {
  const { eventId, from, limit, status, to, webhookId } = query;
  const { rows } = await sql<{ replayed: number }>`
    with chosen as (
      select d.position from webhook_deliveries d join events e on e.serial = d.event_serial
      where d.webhook_id = ${webhookId} and d.status <> 'pending' and (${status}::text is null or d.status = ${status})
        and (${eventId}::uuid is null or e.id = ${eventId})
        and (${from}::timestamptz is null or e.created_at >= ${from})
        and (${to}::timestamptz is null or e.created_at < ${to})
      order by d.position limit ${limit}
      for update of d
    ), replayed as (
      update webhook_deliveries d set status = 'pending', attempts = 0, due_at = now(), updated_at = now()
      from chosen where d.webhook_id = ${webhookId} and d.position = chosen.position
      returning d.position
    )
    select count(*)::int as replayed from replayed`.execute(db);
  return rows[0]?.replayed ?? 0;
}
