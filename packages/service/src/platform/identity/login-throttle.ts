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

  async function charge(subject: string, free: number, now: Date, longestS = LONGEST_LOCK_S): Promise<number> {
    // An open subject has a lock that ended long ago: another process may write with a slightly later present.
    const open = forgottenBefore(now);
    // The update is refused while the lock lasts: then no row comes back.
    const { rows } = await sql<{ failures: number }>`
      insert into login_attempts as a (subject, failures, locked_until, updated_at)
      values (${subject}, 1, ${open}, ${now})
      on conflict (subject) do update set
        failures = case when a.updated_at < ${open} then 1 else least(a.failures + 1, 1000000) end,
        locked_until = case
          when a.updated_at < ${open} or a.failures + 1 < ${free}::int then ${open}
          else ${now}::timestamptz
            + least(${longestS}::int, power(2, least(a.failures + 1 - ${free}::int, 20))) * interval '1 second'
        end,
        updated_at = ${now}
      where a.locked_until <= ${now}
      returning failures`.execute(db);
    if (rows.length > 0) return 0;
    const locked = await db
      .selectFrom("login_attempts")
      .select("locked_until")
      .where("subject", "=", subject)
      .executeTakeFirst();
    if (locked === undefined) return 0;
    return Math.max(1, Math.ceil((locked.locked_until.getTime() - now.getTime()) / 1000));
  }

  async function forgetOld(now: Date): Promise<void> {
    if (now.getTime() - cleanedAtMs < CLEANING_INTERVAL_MS) return;
    cleanedAtMs = now.getTime();
    await db.deleteFrom("login_attempts").where("updated_at", "<", forgottenBefore(now)).execute();
  }

  /** Takes an attempt back: it was no failure. */
  async function takeBack(subject: string): Promise<void> {
    await db
      .updateTable("login_attempts")
      .set((eb) => ({ failures: sql<number>`greatest(${eb.ref("failures")} - 1, 0)` }))
      .where("subject", "=", subject)
      .execute();
  }

  return {
    async begin(subject, address) {
      const now = clock.now();
      await forgetOld(now);
      const addressWaitS = address === null ? 0 : await charge(addressSubject(address), ADDRESS_FAILURES, now);
      if (addressWaitS > 0) return addressWaitS;
      return charge(accountSubject(subject), ACCOUNT_FAILURES, now);
    },
    async succeeded(subject, address) {
      await db.deleteFrom("login_attempts").where("subject", "=", accountSubject(subject)).execute();
      if (address !== null) await takeBack(addressSubject(address));
    },
    async beginLogin(email, address, isTrusted) {
      const now = clock.now();
      await forgetOld(now);
      const addressWaitS = await charge(addressSubject(address), ADDRESS_FAILURES, now);
      if (addressWaitS > 0) return addressWaitS;
      const pairWaitS = await charge(pairSubject(email, address), ACCOUNT_FAILURES, now);
      if (pairWaitS > 0) return pairWaitS;
      const spreadWaitS = await charge(spreadSubject(email), SPREAD_FAILURES, now, LONGEST_SPREAD_LOCK_S);
      return spreadWaitS === 0 || (await isTrusted()) ? 0 : spreadWaitS;
    },
    async loggedIn(email, address) {
      await db.deleteFrom("login_attempts").where("subject", "=", pairSubject(email, address)).execute();
      await takeBack(spreadSubject(email));
      await takeBack(addressSubject(address));
    },
  };
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
