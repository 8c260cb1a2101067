import { sql } from "kysely";
import type { Db } from "../context.ts";

/** Failures are forgotten when none was added for this long. */
const MEMORY_MS = 24 * 3600 * 1000;

/** A subject that an attempt is charged to, first the one that most attempts share. */
export interface Charge {
  readonly subject: string;
  /** Failures before the first lock. */
  readonly free: number;
  readonly longestLockS: number;
}

/**
 * Charges an attempt to one subject after the other, up to the first that is locked, in one statement.
 *
 * @returns the locked one; null when all were charged
 */
export async function chargeAttempt(db: Db, charges: readonly Charge[], now: Date): Promise<Charge | null> {
  // An open subject has a lock that ended long ago: another process may write with a slightly later present.
  const open = forgottenBefore(now);
  const { rows } = await sql<{ subject: string }>`
    with charges as (
      select * from unnest(
        ${charges.map(({ subject }) => subject)}::text[],
        ${charges.map(({ free }) => free)}::int[],
        ${charges.map(({ longestLockS }) => longestLockS)}::int[]
      ) with ordinality as c (subject, free, longest_lock_s, place)
    )
    insert into login_attempts as a (subject, failures, locked_until, updated_at)
    select subject, 1, ${open}::timestamptz, ${now}::timestamptz from charges c
    where not exists (
      select from charges before join login_attempts l on l.subject = before.subject
      where before.place <= c.place and l.locked_until > ${now}
    )
    order by place
    on conflict (subject) do update set (failures, locked_until, updated_at) = (
      select
        case when a.updated_at < ${open} then 1 else least(a.failures + 1, 1000000) end,
        case
          when a.updated_at < ${open} or a.failures + 1 < c.free then ${open}
          else ${now}::timestamptz
            + least(c.longest_lock_s, power(2, least(a.failures + 1 - c.free, 20))) * interval '1 second'
        end,
        ${now}::timestamptz
      from charges c where c.subject = a.subject
    )
    where a.locked_until <= ${now}
    returning subject`.execute(db);
  const charged = new Set(rows.map(({ subject }) => subject));
  return charges.find(({ subject }) => !charged.has(subject)) ?? null;
}

/** Seconds until the lock ends; 0 when it was taken off meanwhile. */
export async function lockWaitS(db: Db, { subject }: Charge, now: Date): Promise<number> {
  const row = await db
    .selectFrom("login_attempts")
    .select("locked_until")
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row === undefined ? 0 : Math.max(1, Math.ceil((row.locked_until.getTime() - now.getTime()) / 1000));
}

/**
 * Forgets the failures of one subject and takes the attempt back from the others: it was no failure. Rows are locked
 * in the order in which they are charged, or two attempts would wait for each other.
 *
 * @param charged all subjects of the attempt
 */
export async function takeBackAttempt(db: Db, charged: readonly Charge[], forgotten: string): Promise<void> {
  const subjects = charged.map(({ subject }) => subject);
  await sql`
    with attempts as (
      select subject from login_attempts where subject = any(${subjects}::text[])
      order by array_position(${subjects}::text[], subject) for update
    ), taken_back as (
      update login_attempts a set failures = greatest(a.failures - 1, 0) from attempts
      where a.subject = attempts.subject and a.subject <> ${forgotten}
    )
    delete from login_attempts a using attempts
    where a.subject = attempts.subject and a.subject = ${forgotten}`.execute(db);
}

/** Removes subjects whose failures are forgotten. */
export async function removeForgotten(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("login_attempts").where("updated_at", "<", forgottenBefore(now)).execute();
}

function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - MEMORY_MS);
}
