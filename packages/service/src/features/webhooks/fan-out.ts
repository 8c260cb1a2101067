import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";

const BATCH = 500;

/**
 * Makes a delivery of each new event for each webhook that wants it and whose owner may see it. The place in the list
 * of events is written with the deliveries: an event is never left out, and never delivered by two rounds.
 *
 * @returns the number of deliveries
 */
export async function fanOut(db: Db, signal: AbortSignal): Promise<number> {
  let made = 0;
  for (;;) {
    const { events, deliveries } = await inTransaction(db, fanOutBatch);
    made += deliveries;
    if (events < BATCH || signal.aborted) return made;
  }
}

interface FannedOut {
  readonly events: number;
  readonly deliveries: number;
}

async function fanOutBatch(trx: Trx): Promise<FannedOut> {
  const { rows: marks } = await sql<{ position: number }>`
    select position from event_marks where name = 'webhooks' for update`.execute(trx);
  const [mark = { position: 0 }] = marks;
  const { rows } = await sql<FannedOut>`
    with batch as materialized (
      select serial, position, type, subject, user_id, group_id, organization_id, created_at from events
      where position > ${mark.position} order by position limit ${BATCH}
    ), receivers as (
      select w.id, w.types, w.created_at, u.id as user_id, h.group_id, h.organization_id
      from webhooks w
      join users u on u.id = w.owner_id and not u.blocked
      left join lateral (
        select m.group_id, g.organization_id from group_members m join groups g on g.id = m.group_id
        where m.user_id = u.id order by m.position limit 1
      ) h on true
      where w.enabled and exists (select from batch)
    ), seen as (
      select b.serial, r.id from batch b join receivers r on r.user_id = b.user_id
      union select b.serial, r.id from batch b join receivers r on r.group_id = b.group_id
      union select b.serial, r.id from batch b join receivers r on r.organization_id = b.organization_id
    ), made as (
      insert into webhook_deliveries (webhook_id, position, event_serial, subject, due_at)
      select r.id, b.position, b.serial, b.subject, coalesce((
        -- Behind an earlier event of the subject that waits for its next attempt.
        select max(d.due_at) from webhook_deliveries d
        where d.webhook_id = r.id and d.subject = b.subject and d.status = 'pending'
      ), now())
      from seen s
      join batch b on b.serial = s.serial
      join receivers r on r.id = s.id
      where b.created_at >= r.created_at and (cardinality(r.types) = 0 or b.type = any(r.types) or b.type = 'webhook.test')
        and (b.type <> 'webhook.test' or b.subject = 'webhook:' || r.id)
      on conflict do nothing
      returning webhook_id
    ), marked as (
      update event_marks set position = coalesce((select max(position) from batch), position) where name = 'webhooks'
    )
    select (select count(*) from batch)::int as events, (select count(*) from made)::int as deliveries`.execute(trx);
  return rows[0] ?? { events: 0, deliveries: 0 };
}
