import { LRUCache } from "lru-cache";
import { randomUUID } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type { Db, Trx } from "../context.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { bindExternalSubject, insertExternalUser } from "./account-store.ts";
import { findClaimedGroups, setMemberships, takeClaims, type MembershipChange } from "./membership-store.ts";
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

/** Memberships that the claims of a token have changed, for the audit log. */
export interface ChangedMemberships extends MembershipChange {
  readonly userId: string;
}

/** Sign-ins of external users at the console, for the audit log. */
interface ExternalSignIn {
  readonly userId: string;
  readonly email: string;
  readonly issuer: string;
}

/** The audit log of external users. */
export interface ExternalRecords {
  readonly signedIn: (trx: Trx, signIn: ExternalSignIn) => Promise<void>;
  readonly made: (trx: Trx, user: MadeUser) => Promise<void>;
  readonly memberships: (trx: Trx, change: ChangedMemberships) => Promise<void>;
}

interface ExternalUsers {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: ExternalIssuerConfig;
  readonly record: ExternalRecords;
}

/** A subject whose user is known. */
interface Binding {
  readonly userId: string;
  /** Of the latest token whose groups this process has applied. */
  readonly appliedAtMs: number;
}

/**
 * The users that subjects of an external issuer stand for: bound before, found by verified e-mail, or made when the
 * configuration has a group for them. Their memberships follow the claims of their newest token, if the configuration
 * says so. Null when there is none.
 *
 * @param users.record writes the audit log, in the transaction of the change
 */
export function createExternalUsers(users: ExternalUsers): (claims: TokenClaims) => Promise<string | null> {
  const { db, config } = users;
  // A binding never changes while its user exists; whether that is so is looked up for each request anyway.
  const bindings = new LRUCache<string, Binding>({ max: CACHE_SIZE });
  return async (claims) => {
    const { subject, email, issuedAtMs } = claims;
    const known = bindings.get(subject);
    if (known !== undefined && (claims.groups === null || issuedAtMs <= known.appliedAtMs)) return known.userId;
    const bound = known?.userId ?? (await bindExternalSubject(db, { issuer: config.issuer, subject, email }));
    const userId = bound ?? (await make(users, claims));
    if (userId === null) return null;
    await followClaims(users, userId, claims);
    bindings.set(subject, { userId, appliedAtMs: issuedAtMs });
    return userId;
  };
}

/** Groups of a user by its token: those it names, else the one of new users. */
async function groupsOf({ config, db }: ExternalUsers, { groups }: TokenClaims) {
  const named = groups === null ? [] : await findClaimedGroups(db, groups);
  if (named.length > 0 || config.newUserGroup === null) return named;
  return await findClaimedGroups(db, { names: [config.newUserGroup], organization: null });
}

async function make(users: ExternalUsers, claims: TokenClaims): Promise<string | null> {
  const { clock, config, db, record } = users;
  const { subject, email, name } = claims;
  if (email === null || email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) return null;
  const [group] = await groupsOf(users, claims);
  if (group === undefined) return null;
  const made = await inTransaction(db, async (trx) => {
    const user = { id: randomUUID(), issuer: config.issuer, subject, email, name: name ?? email };
    const userId = await insertExternalUser(trx, user, group.id, clock.now());
    if (userId !== null) await record.made(trx, { userId, email, groupName: group.name });
    return userId;
  });
  // Another request with the same token may have been first.
  return made ?? bindExternalSubject(db, { issuer: config.issuer, subject, email: null });
}

/** Memberships of the user become the groups of the claims, unless they follow a newer token. */
async function followClaims(users: ExternalUsers, userId: string, claims: TokenClaims): Promise<void> {
  const { config, db, record } = users;
  const { mapping = null } = config;
  if (mapping === null) return;
  const groups = await groupsOf(users, claims);
  const managed = mapping.groups === null ? null : managedGroups([...mapping.groups.values()], config.newUserGroup);
  await inTransaction(db, async (trx) => {
    if (!(await takeClaims(trx, userId, new Date(claims.issuedAtMs)))) return;
    const change = await setMemberships(trx, userId, groups, managed);
    if (change !== null) await record.memberships(trx, { userId, ...change });
  });
}

function managedGroups(mapped: readonly string[], newUserGroup: string | null): readonly string[] {
  return newUserGroup === null ? mapped : [...mapped, newUserGroup];
}
