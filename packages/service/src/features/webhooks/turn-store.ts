import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** A webhook that one process delivers to, for a while. */
export interface Turn {
  readonly id: string;
  readonly ownerId: string;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly isFailing: boolean;
}

export interface TurnRequest {
  readonly worker: string;
  readonly leaseMs: number;
  /** Webhooks of one owner that all processes deliver to at once. */
  readonly perOwner: number;
  readonly limit: number;
  /** Of these, webhooks whose last attempt failed. */
  readonly failingLimit: number;
}

/** Webhooks that are looked at for one claim. */
const LOOKED_AT = 500;

/** Takes webhooks with due deliveries, those that have waited longest first. */
export async function claimTurns(db: Db, request: TurnRequest): Promise<readonly Turn[]> {
  const { worker, leaseMs, perOwner, limit, failingLimit } = request;
  const { rows } = await sql<Turn>`
    with due as (
      select w.id, w.owner_id, w.served_at, w.failing_since is not null as failing from webhooks w
      where w.enabled and (w.leased_until is null or w.leased_until <= now()) and exists (
        select from webhook_deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.due_at <= now()
      )
      order by w.served_at limit ${LOOKED_AT}
    ), ranked as (
      select due.id, due.served_at, due.failing,
        row_number() over (partition by due.owner_id order by due.served_at) + (
          select count(*) from webhooks l where l.owner_id = due.owner_id and l.leased_until > now()
        ) as of_owner
      from due
    ), chosen as (
      select id, served_at, failing, row_number() over (partition by failing order by served_at) as of_kind
      from ranked where of_owner <= ${perOwner}::int
    ), locked as (
      select id from webhooks
      where id = any(array(
        select id from chosen where not failing or of_kind <= ${failingLimit}::int order by served_at limit ${limit}
      )) and enabled and (leased_until is null or leased_until <= now())
      order by id for update skip locked
    )
    update webhooks w set leased_by = ${worker}, leased_until = now() + ${leaseMs} * interval '1 millisecond'
    from locked where locked.id = w.id
    returning w.id, w.owner_id as "ownerId", w.url, w.secret,
      case when w.previous_until > now() then w.previous_secret end as "previousSecret",
      w.failing_since is not null as "isFailing"`.execute(db);
  return rows;
}

/** Ends a turn; nothing happens when another process has taken the webhook meanwhile. */
export async function endTurn(db: Db, worker: string, webhookId: string): Promise<void> {
  await sql`
    update webhooks set leased_by = null, leased_until = null, served_at = now()
    where id = ${webhookId} and leased_by = ${worker}`.execute(db);
}

export interface DueDelivery {
  readonly position: number;
  readonly subject: string;
  readonly attempts: number;
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Due deliveries of a webhook, of each subject the earliest. None when the turn has been lost. */
export async function dueDeliveries(
  db: Db,
  { worker, webhookId, limit }: { readonly worker: string; readonly webhookId: string; readonly limit: number },
): Promise<readonly DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select d.position, d.subject, d.attempts, e.id as "eventId", e.type, e.created_at as "createdAt", e.data
    from webhook_deliveries d
    join webhooks w on w.id = d.webhook_id and w.enabled and w.leased_by = ${worker} and w.leased_until > now()
    join events e on e.serial = d.event_serial
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.due_at <= now() and not exists (
      select from webhook_deliveries b
      where b.webhook_id = d.webhook_id and b.subject = d.subject and b.status = 'pending' and b.position < d.position
    )
    order by d.due_at, d.position limit ${limit}`.execute(db);
  return rows;
}
