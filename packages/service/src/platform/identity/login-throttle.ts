import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { chargeAttempt, lockWaitS, removeForgotten, takeBackAttempt, type Charge } from "./attempt-charges.ts";
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

  async function forgetOld(now: Date): Promise<void> {
    if (now.getTime() - cleanedAtMs < CLEANING_INTERVAL_MS) return;
    cleanedAtMs = now.getTime();
    await removeForgotten(db, now);
  }

  return {
    async begin(subject, address) {
      const now = clock.now();
      await forgetOld(now);
      const locked = await chargeAttempt(db, chargesOf(subject, address), now);
      return locked === null ? 0 : await lockWaitS(db, locked, now);
    },
    async succeeded(subject, address) {
      await takeBackAttempt(db, chargesOf(subject, address), accountSubject(subject));
    },
    async beginLogin(email, address, isTrusted) {
      const now = clock.now();
      await forgetOld(now);
      const locked = await chargeAttempt(db, chargesOfLogin(email, address), now);
      if (locked === null || (locked.subject === spreadSubject(email) && (await isTrusted()))) return 0;
      return await lockWaitS(db, locked, now);
    },
    async loggedIn(email, address) {
      await takeBackAttempt(db, chargesOfLogin(email, address), pairSubject(email, address));
    },
  };
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
