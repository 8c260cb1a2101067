import { sql } from "kysely";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { networkOf } from "./network-of.ts";

/** Failures an account may collect before it is locked for a while. */
export const ACCOUNT_FAILURES = 10;
/** Failures an address may collect: more, for many users share one. */
const ADDRESS_FAILURES = 50;
/** Failures of logins an account may collect from all addresses together. */
export const SPREAD_FAILURES = 100;
/** Each failure beyond that doubles the lock, up to this. */
const LONGEST_LOCK_S = 900;
/** Short, as wrong passwords from elsewhere cause it: 1,440 guesses a day for all addresses together. */
const LONGEST_SPREAD_LOCK_S = 60;
/** Failures are forgotten when none was added for this long. */
const MEMORY_MS = 24 * 3600 * 1000;
const CLEANING_INTERVAL_MS = 60_000;

/**
 * Slows down guessing of passwords and codes. An attempt is counted before the secret is looked at, so that many
 * attempts at once gain nothing, and taken back when it succeeds.
 */
export interface LoginThrottle {
  /**
   * Seconds to wait, or 0 when the attempt may go on.
   *
   * @param subject e-mail, or another name of the guessed secret
   * @param address network address of the caller; null where it is not known and only the subject counts
   */
  begin(subject: string, address: string | null): Promise<number>;
  succeeded(subject: string, address: string | null): Promise<void>;
  /**
   * The same for a password at the login, which anybody may guess: it locks the account for the address of the guesses.
   * Guesses from many addresses lock it for all, but not where `isTrusted` says so.
   *
   * @param isTrusted asked only while the account is locked for all addresses
   */
  beginLogin(email: string, address: string, isTrusted: () => Promise<boolean>): Promise<number>;
  loggedIn(email: string, address: string): Promise<void>;
}

export function createLoginThrottle(deps: { readonly db: Db; readonly clock: Clock }): LoginThrottle {
  const { db, clock } = deps;
  let cleanedAtMs = 0;

  /**
   * Charges an attempt to one subject after the other, up to the first that is locked, in one statement.
   *
   * @returns the locked one; null when all were charged
   */
  async function charge(charges: readonly Charge[], now: Date): Promise<Charge | null> {
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
  async function waitOf({ subject }: Charge, now: Date): Promise<number> {
    const row = await db
      .selectFrom("login_attempts")
      .select("locked_until")
      .where("subject", "=", subject)
      .executeTakeFirst();
    return row === undefined ? 0 : Math.max(1, Math.ceil((row.locked_until.getTime() - now.getTime()) / 1000));
  }

  async function forgetOld(now: Date): Promise<void> {
    if (now.getTime() - cleanedAtMs < CLEANING_INTERVAL_MS) return;
    cleanedAtMs = now.getTime();
    await db.deleteFrom("login_attempts").where("updated_at", "<", forgottenBefore(now)).execute();
  }

  /**
   * Forgets the failures of one subject and takes the attempt back from the others: it was no failure. Rows are locked
   * in the order in which they are charged, or two attempts would wait for each other.
   *
   * @param charged all subjects of the attempt
   */
  async function succeed(charged: readonly Charge[], forgotten: string): Promise<void> {
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

  return {
    async begin(subject, address) {
      const now = clock.now();
      await forgetOld(now);
      const locked = await charge(chargesOf(subject, address), now);
      return locked === null ? 0 : await waitOf(locked, now);
    },
    async succeeded(subject, address) {
      await succeed(chargesOf(subject, address), accountSubject(subject));
    },
    async beginLogin(email, address, isTrusted) {
      const now = clock.now();
      await forgetOld(now);
      const locked = await charge(chargesOfLogin(email, address), now);
      if (locked === null || (locked.subject === spreadSubject(email) && (await isTrusted()))) return 0;
      return await waitOf(locked, now);
    },
    async loggedIn(email, address) {
      await succeed(chargesOfLogin(email, address), pairSubject(email, address));
    },
  };
}

/** A subject that an attempt is charged to, first the one that most attempts share. */
interface Charge {
  readonly subject: string;
  /** Failures before the first lock. */
  readonly free: number;
  readonly longestLockS: number;
}

function chargesOf(subject: string, address: string | null): readonly Charge[] {
  const account = { subject: accountSubject(subject), free: ACCOUNT_FAILURES, longestLockS: LONGEST_LOCK_S };
  return address === null ? [account] : [chargeOfAddress(address), account];
}

function chargesOfLogin(email: string, address: string): readonly Charge[] {
  return [
    chargeOfAddress(address),
    { subject: pairSubject(email, address), free: ACCOUNT_FAILURES, longestLockS: LONGEST_LOCK_S },
    { subject: spreadSubject(email), free: SPREAD_FAILURES, longestLockS: LONGEST_SPREAD_LOCK_S },
  ];
}

function chargeOfAddress(address: string): Charge {
  return { subject: addressSubject(address), free: ADDRESS_FAILURES, longestLockS: LONGEST_LOCK_S };
}

function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - MEMORY_MS);
}

function accountSubject(subject: string): string {
  return `account:${subject}`;
}

function pairSubject(email: string, address: string): string {
  return `login:${email} ${networkOf(address)}`;
}

function spreadSubject(email: string): string {
  return `logins:${email}`;
}

function addressSubject(address: string): string {
  return `address:${networkOf(address)}`;
}
