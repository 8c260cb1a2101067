import { LRUCache } from "lru-cache";
import { randomUUID } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type { Db, Trx } from "../context.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { bindExternalSubject, insertExternalUser } from "./account-store.ts";
import type { ExternalIssuerConfig } from "./external-issuer.ts";
import type { TokenClaims } from "./token-verifier.ts";

/** Users made from tokens, for the audit log. */
export interface MadeUser {
  readonly userId: string;
  readonly email: string;
  readonly groupName: string;
}

const CACHE_SIZE = 10_000;
/** `text@text.text`, as for every other user. */
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const MAX_EMAIL_LENGTH = 254;

/**
 * The users that subjects of an external issuer stand for: bound before, found by verified e-mail, or made when the
 * configuration names a group for them. Null when there is none.
 *
 * @param deps.record writes the audit log, in the transaction that makes a user
 */
export function createExternalUsers(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: ExternalIssuerConfig;
  readonly record: (trx: Trx, made: MadeUser) => Promise<void>;
}): (claims: TokenClaims) => Promise<string | null> {
  const { db, clock, config, record } = deps;
  const { issuer, newUserGroup } = config;
  // A binding never changes while its user exists; whether that is so is looked up for each request anyway.
  const bindings = new LRUCache<string, string>({ max: CACHE_SIZE });

  async function make(claims: TokenClaims, groupName: string): Promise<string | null> {
    const { subject, email, name } = claims;
    if (email === null || email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) return null;
    const made = await inTransaction(db, async (trx) => {
      const user = { id: randomUUID(), issuer, subject, email, name: name ?? email };
      const userId = await insertExternalUser(trx, user, groupName, clock.now());
      if (userId !== null) await record(trx, { userId, email, groupName });
      return userId;
    });
    // Another request with the same token may have been first.
    return made ?? bindExternalSubject(db, { issuer, subject, email: null });
  }

  return async (claims) => {
    const { subject, email } = claims;
    const known = bindings.get(subject);
    if (known !== undefined) return known;
    const bound = await bindExternalSubject(db, { issuer, subject, email });
    const userId = bound ?? (newUserGroup === null ? null : await make(claims, newUserGroup));
    if (userId !== null) bindings.set(subject, userId);
    return userId;
  };
}
