import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { findAccount, type Account } from "./account-store.ts";
import * as store from "./console-session-store.ts";
import type { ConsoleSessionRow } from "./console-session-store.ts";
import { seal, unseal } from "./sealed-secret.ts";
import type { BuiltInTokens } from "./tokens.ts";

/** Lifetime of access tokens of the console. */
export const CONSOLE_TOKEN_LIFETIME_S = 15 * 60;
export interface SessionLengths {
  /** A session ends after this time without a refresh. */
  readonly idleMs: number;
  /** And after this time in any case. */
  readonly longestMs: number;
}

export const PASSWORD_SESSION: SessionLengths = { idleMs: 7 * 24 * 3_600_000, longestMs: 30 * 24 * 3_600_000 };
/** An external issuer is asked again after this time: it may have blocked the user. */
export const ISSUER_SESSION: SessionLengths = { idleMs: 10 * 3_600_000, longestMs: 10 * 3_600_000 };
/** Two tabs may refresh at once, and an answer may be lost: the secret before stays good this long. */
const GRACE_MS = 30_000;
const ID_BYTES = 12;
const SECRET_BYTES = 32;
const COOKIE = /^([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

/** The secret of a session as its browser keeps it. */
export interface SessionCookie {
  readonly value: string;
  readonly expiresInS: number;
}

interface Refreshed {
  readonly userId: string;
  readonly token: string;
  readonly expiresInS: number;
  readonly cookie: SessionCookie;
}

interface SignedIn {
  readonly userId: string;
  readonly tokenVersion: number;
  readonly secondFactor: boolean;
}

/** Sessions of the web console: a cookie is exchanged for short access tokens, and for the next cookie. */
export interface ConsoleSessions {
  begin(user: SignedIn): Promise<SessionCookie>;
  /**
   * Null when the session is over: expired, ended, or the user was blocked, deleted, has another password or needs a
   * second factor. A cookie that was replaced ends its session: two browsers have it.
   */
  refresh(cookie: string): Promise<Refreshed | null>;
  end(cookie: string): Promise<void>;
}

export function createConsoleSessions(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly tokens: Pick<BuiltInTokens, "issue">;
  readonly lengths: SessionLengths;
}): ConsoleSessions {
  const { db, clock, tokens } = deps;
  const { idleMs, longestMs } = deps.lengths;
  return {
    async begin({ userId, tokenVersion, secondFactor }) {
      const now = clock.now();
      await store.sweepExpired(db, now);
      const id = randomBytes(ID_BYTES).toString("base64url");
      const secret = randomBytes(SECRET_BYTES);
      const expiresAt = new Date(now.getTime() + idleMs);
      await inTransaction(db, async (trx) => {
        await store.insertSession(trx, {
          id,
          user_id: userId,
          token_version: tokenVersion,
          second_factor: secondFactor,
          secret_hash: hashOf(secret),
          rotated_at: now,
          created_at: now,
          expires_at: expiresAt,
        });
        await store.deleteSurplus(trx, userId);
      });
      return cookieOf(id, secret, expiresAt, now);
    },

    async refresh(cookie) {
      const given = readCookie(cookie);
      if (given === null) return null;
      const now = clock.now();
      const refreshed = await inTransaction(db, async (trx) => {
        const session = await store.lockSession(trx, given.id);
        if (session === null) return null;
        const account = await findAccount(trx, session.user_id);
        const longest = session.created_at.getTime() + longestMs;
        const isInTime = session.expires_at > now && longest > now.getTime();
        const secret = isInTime ? successorOf(session, given.secret, now) : null;
        if (secret === null || account === null || !isOpen(session, account)) {
          await store.deleteSession(trx, session.id);
          return null;
        }
        if (secret.known) return { account, session, secret: secret.bytes, expiresAt: session.expires_at };
        const expiresAt = new Date(Math.min(now.getTime() + idleMs, longest));
        await store.rotateSession(trx, session.id, {
          secret_hash: hashOf(secret.bytes),
          previous_hash: session.secret_hash,
          next_sealed: seal(sealingKey(given.secret), secret.bytes, session.id),
          rotated_at: now,
          expires_at: expiresAt,
        });
        return { account, session, secret: secret.bytes, expiresAt };
      });
      if (refreshed === null) return null;
      const { account, session, secret, expiresAt } = refreshed;
      return {
        userId: account.id,
        token: await tokens.issue(account, session.second_factor, CONSOLE_TOKEN_LIFETIME_S),
        expiresInS: CONSOLE_TOKEN_LIFETIME_S,
        cookie: cookieOf(session.id, secret, expiresAt, now),
      };
    },

    async end(cookie) {
      const given = readCookie(cookie);
      if (given !== null) await store.deleteSession(db, given.id);
    },
  };
}

/** The secret that follows the given one: a new one, or the present one for the secret before it. Null for any other. */
function successorOf(
  session: ConsoleSessionRow,
  given: Buffer,
  now: Date,
): { readonly bytes: Buffer; readonly known: boolean } | null {
  const hash = hashOf(given);
  if (hash.equals(session.secret_hash)) return { bytes: randomBytes(SECRET_BYTES), known: false };
  const { previous_hash: previous, next_sealed: sealed, rotated_at: rotatedAt } = session;
  if (previous === null || sealed === null || !hash.equals(previous)) return null;
  if (now.getTime() - rotatedAt.getTime() > GRACE_MS) return null;
  return { bytes: unseal(sealingKey(given), sealed, session.id), known: true };
}

function isOpen(session: ConsoleSessionRow, account: Account): boolean {
  if (account.blocked || account.tokenVersion !== session.token_version) return false;
  return session.second_factor || !account.requireMfa;
}

function readCookie(cookie: string): { readonly id: string; readonly secret: Buffer } | null {
  const [, id, secret] = COOKIE.exec(cookie) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret: Buffer.from(secret, "base64url") };
}

function cookieOf(id: string, secret: Buffer, expiresAt: Date, now: Date): SessionCookie {
  const expiresInS = Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
  return { value: `${id}.${secret.toString("base64url")}`, expiresInS };
}

function hashOf(secret: Buffer): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Known only to whoever has the secret: the database alone opens nothing. */
function sealingKey(secret: Buffer): Buffer {
  return createHmac("sha256", secret).update("next secret of a console session").digest();
}
