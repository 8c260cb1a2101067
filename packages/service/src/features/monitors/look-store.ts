import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** The looks of a monitor at a provider. */
export interface LookRow {
  readonly monitor_id: string;
  readonly provider: string;
  /** Null: none is due until the monitor is resumed. */
  readonly due_at: Date | null;
  /** Acquisitions until then were looked for. */
  readonly looked_until: Date;
  /** End of the period of a look that has begun. */
  readonly target: Date | null;
  /** Areas of a look that has begun that were searched. */
  readonly position: number;
  /** When a look last ended well. */
  readonly last_look_at: Date | null;
  /** In a row. */
  readonly failures: number;
  readonly failed_at: Date | null;
  readonly failure: string | null;
}

/** A look that this process alone does, until the lease ends. */
export interface ClaimedLook extends LookRow {
  until: Date;
}

const COLUMNS = sql`l.monitor_id, l.provider, l.due_at, l.looked_until, l.target, l.position, l.last_look_at, l.failures,
  l.failed_at, l.failure`;

export async function insertLooks(trx: Trx, monitorId: string, providers: readonly string[], at: Date): Promise<void> {
  if (providers.length === 0) return;
  const rows = providers.map((provider) => ({ monitor_id: monitorId, provider, due_at: at, looked_until: at }));
  await trx.insertInto("monitor_looks").values(rows).execute();
}

/** The looks of monitors, by monitor and provider. */
export async function readLooks(db: Db, monitorIds: readonly string[]): Promise<readonly LookRow[]> {
  const { rows } = await sql<LookRow>`
    select ${COLUMNS} from monitor_looks l
    where l.monitor_id = any(${monitorIds}::text[]) order by l.monitor_id, l.provider`.execute(db);
  return rows;
}

/** A paused monitor has no look that is due. */
export async function pauseLooks(trx: Trx, monitorId: string): Promise<void> {
  await sql`update monitor_looks set due_at = null where monitor_id = ${monitorId}`.execute(trx);
}

/** Looks of a monitor that is resumed, no earlier than its interval allows. The time of the pause is left out. */
export async function resumeLooks(trx: Trx, monitorId: string, at: Date): Promise<void> {
  await sql`
    update monitor_looks l set looked_until = ${at}, target = null, position = 0,
      due_at = greatest(${at}::timestamptz, l.last_look_at + m.look_every_minutes * interval '1 minute')
    from monitors m where m.id = l.monitor_id and l.monitor_id = ${monitorId}`.execute(trx);
}

/** Looks that wait for their interval wait for another one. */
export async function rescheduleLooks(trx: Trx, monitorId: string): Promise<void> {
  await sql`
    update monitor_looks l set due_at = l.last_look_at + m.look_every_minutes * interval '1 minute'
    from monitors m
    where m.id = l.monitor_id and l.monitor_id = ${monitorId} and l.due_at is not null and l.last_look_at is not null
      and l.failures = 0 and l.target is null`.execute(trx);
}

/** Providers with due looks that nobody does. */
export async function dueProviders(db: Db, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<Pick<LookRow, "provider">>`
    select distinct provider from monitor_looks
    where due_at <= ${now} and (claimed_until is null or claimed_until <= ${now})`.execute(db);
  return rows.map(({ provider }) => provider);
}

interface ClaimRules {
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
  /** Looks of one owner at a provider at once, in all processes. */
  readonly perOwner: number;
}

/**
 * Claims due looks at a provider: the longest due look of each owner, then the second of each, and so on. Looks under
 * way count as turns of their owners. Rows that another process claims at the moment are left to it.
 */
export async function claimLooks(
  db: Db,
  provider: string,
  { limit, now, perOwner, until }: ClaimRules,
): Promise<readonly ClaimedLook[]> {
  const { rows } = await sql<LookRow>`
    with ranked as (
      select l.monitor_id, l.due_at, coalesce(l.claimed_until > ${now}, false) as running,
        row_number() over (
          partition by m.owner_id order by coalesce(l.claimed_until > ${now}, false) desc, l.due_at, l.monitor_id
        ) as turn
      from monitor_looks l join monitors m on m.id = l.monitor_id
      where l.provider = ${provider} and l.due_at <= ${now}
    ), next as (
      select monitor_id from ranked where not running and turn <= ${perOwner}::bigint
      order by turn, due_at, monitor_id limit ${limit}
    ), free as (
      select l.monitor_id from monitor_looks l
      where l.provider = ${provider} and l.monitor_id in (select monitor_id from next)
        and (l.claimed_until is null or l.claimed_until <= ${now})
      for update skip locked
    )
    update monitor_looks l set claimed_until = ${until}
    from free f where l.provider = ${provider} and l.monitor_id = f.monitor_id
    returning ${COLUMNS}`.execute(db);
  return rows.map((row) => ({ ...row, until }));
}

/** @returns whether the claim still held */
export async function prolongLook(db: Db, { monitor_id, provider, until }: ClaimedLook, next: Date): Promise<boolean> {
  const { rows } = await sql`
    update monitor_looks set claimed_until = ${next}
    where monitor_id = ${monitor_id} and provider = ${provider} and claimed_until = ${until}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** The state of a look when its claim ends. */
export interface LookEnd extends Omit<LookRow, "due_at" | "monitor_id" | "provider"> {
  readonly at: Date;
  /** A moment, the interval after `at`, or never. */
  readonly next: Date | "interval" | "never";
}

/** Ends a claim that still holds. */
export async function releaseLook(db: Db, { monitor_id, provider, until }: ClaimedLook, end: LookEnd): Promise<void> {
  const dueAt = end.next instanceof Date ? end.next : null;
  await sql`
    update monitor_looks l set claimed_until = null, looked_until = ${end.looked_until},
      target = ${end.target}::timestamptz, position = ${end.position}::int,
      last_look_at = ${end.last_look_at}::timestamptz, failures = ${end.failures}::int,
      failed_at = ${end.failed_at}::timestamptz, failure = ${end.failure},
      due_at = case when m.enabled and ${end.next !== "never"}::boolean
        then coalesce(${dueAt}::timestamptz, ${end.at}::timestamptz + m.look_every_minutes * interval '1 minute') end
    from monitors m
    where m.id = l.monitor_id and l.monitor_id = ${monitor_id} and l.provider = ${provider}
      and l.claimed_until = ${until}`.execute(db);
}
