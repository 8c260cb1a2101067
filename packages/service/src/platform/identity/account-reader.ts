import { LRUCache } from "lru-cache";
import type { Db } from "../context.ts";
import { findAccount, literally } from "./account-store.ts";
import type { Account, HeldFrom } from "./account-store.ts";

/** Users whose permissions are kept in memory. */
const CACHE_SIZE = 10_000;

/**
 * Reads accounts so that a change committed before the call is seen, whichever process made it: every answer rests on
 * a query that began after the question. Permissions, of which there may be thousands, are sent by the database only
 * when something they follow from has changed since they were last read. Of one account at most two queries are under
 * way or waiting, however many requests ask.
 */
export function createAccountReader(
  db: Db,
  heldFrom: HeldFrom = literally,
): (userId: string) => Promise<Account | null> {
  const known = new LRUCache<string, Account>({ max: CACHE_SIZE });
  const running = new Map<string, Promise<Account | null>>();
  /** Those that begin when the running one has ended, shared by all who asked meanwhile. */
  const waiting = new Map<string, Promise<Account | null>>();

  async function load(userId: string): Promise<Account | null> {
    const account = await findAccount(db, userId, known.get(userId), heldFrom);
    if (account === null) known.delete(userId);
    else known.set(userId, account);
    return account;
  }

  function start(userId: string): Promise<Account | null> {
    const query = load(userId).finally(() => {
      if (running.get(userId) === query) running.delete(userId);
    });
    running.set(userId, query);
    return query;
  }

  return (userId) => {
    const current = running.get(userId);
    if (current === undefined) return start(userId);
    const next = waiting.get(userId);
    if (next !== undefined) return next;
    const turn = (): Promise<Account | null> => {
      waiting.delete(userId);
      return start(userId);
    };
    const promise = current.then(turn, turn);
    waiting.set(userId, promise);
    return promise;
  };
}
