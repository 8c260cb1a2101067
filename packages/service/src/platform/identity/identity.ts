import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../context.ts";
import { findAccounts, literally, type HeldFrom } from "./account-store.ts";
import { createAccountReader } from "./account-reader.ts";
import { createApiKeyAuthentication, type ApiKeyAuthentication } from "./api-key-authentication.ts";
import { API_KEY_PREFIX } from "./api-key.ts";
import { authenticateToken, namedUser } from "./authenticate-token.ts";
import { callersOf } from "./callers-of-users.ts";
import { namedCredential } from "./credential-name.ts";
import { createConsoleSessions, ISSUER_SESSION, PASSWORD_SESSION, type ConsoleSessions } from "./console-sessions.ts";
import { createIssuerConsole, isOfConsole, type IssuerConsole } from "./issuer-console.ts";
import { judge, type Credential, type Demand } from "./credential.ts";
import { createExternalIssuer } from "./external-issuer.ts";
import type { ExternalIssuerConfig } from "./external-issuer.ts";
import { createExternalUsers } from "./external-users.ts";
import type { ExternalRecords } from "./external-users.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { createMfaTokens } from "./mfa-token.ts";
import { createPasswordLogin } from "./password-login.ts";
import type { PasswordLogin } from "./password-login.ts";
import type { CacheMeters } from "../metrics/cache-meters.ts";
import { rememberTokens } from "./remembered-tokens.ts";
import { UNWATCHED, type RightsChanges } from "./rights-changes.ts";
import type { SecondFactor } from "./second-factor.ts";
import { createKeyRing } from "./signing-keys.ts";
import type { KeyRing } from "./signing-keys.ts";
import type { TokenClaims } from "./token-verifier.ts";
import { createBuiltInTokens } from "./tokens.ts";
import { createWatchedCache } from "./watched-cache.ts";

export interface IdentityConfig {
  /** `iss` of issued tokens; the service's public address, so that discovery finds it. */
  readonly issuer: string;
  /** `aud` of issued tokens. */
  readonly audience: string;
  /** Another issuer in place of the built-in one. */
  readonly external: ExternalIssuerConfig | null;
  /** Seconds; 10 h by the interface. */
  readonly tokenLifetimeS: number;
}

export const DEFAULT_TOKEN_LIFETIME_S = 10 * 3600;

/** The provider built into the service; absent when an external issuer is configured. */
export interface BuiltInProvider extends PasswordLogin {
  readonly issuer: string;
  readonly keys: KeyRing;
  readonly consoleSessions: ConsoleSessions;
}

/**
 * Authenticates callers. Rights that are taken end within a second. In the process that took them they end with the
 * next request, as they do where rights are read as they are now. Rights that are given hold from the next request on.
 */
export interface Identity {
  readonly builtIn: BuiltInProvider | null;
  /** Sessions of the web console for users of an external issuer; null without one. */
  readonly issuerConsole: IssuerConsole | null;
  /** Looks whether the issuer of tokens answers. @throws {ServiceError} SERVICE-UNAVAILABLE with the reason */
  prepare(): Promise<void>;
  /**
   * The caller behind an `Authorization` header, or null without one.
   *
   * @param demand rights at most a second old unless given
   * @throws {ServiceError} INVALID-AUTHORIZATION-HEADER; INVALID-JWT; NOT-AUTHORIZED for a blocked or unknown user and
   *   for an invalid API key. MFA-REQUIRED for a credential without the second factor that the user needs
   */
  authenticate(authorization: string | undefined, demand?: Demand): Promise<Caller | null>;
  /** The caller of a bare user token; API keys are refused. @throws {ServiceError} as `authenticate` */
  authenticateToken(token: string): Promise<Caller>;
  /**
   * The caller behind an address that was signed for it, with rights at most a second old.
   *
   * @param credential `Caller.credential` of the request that signed
   * @throws {ServiceError} as `authenticate`: the credential has ended, or the user is blocked or unknown
   */
  callerOf(userId: string, credential: string): Promise<Caller>;
  /**
   * Users as callers, with rights at most a second old, for work that the service does in their names. Users who are
   * blocked or do not exist have none.
   */
  recentCallers(userIds: readonly string[]): Promise<ReadonlyMap<string, Caller>>;
}

/** `aud` of tokens of the console at a service with an external issuer: no other token of the service is taken there. */
const CONSOLE_AUDIENCE = "swath-console";

export const ANONYMOUS: Caller = { kind: "anonymous", userId: "", groupId: "", email: "", permissions: new Set() };

const UNRECORDED: ExternalRecords = {
  made: async () => {},
  memberships: async () => {},
  signedIn: async () => {},
};
const NO_DEMAND: Demand = { freshness: "at most a second old", permissions: [] };

/**
 * @param deps.changes without it, rights are read from the database for each request
 * @param deps.heldFrom what was granted by the name of a provider may be asked for by another
 * @param deps.caches take the readings of the cache of users
 * @param deps.secondFactor without it, users who need a second factor cannot sign in
 * @param deps.recordExternal writes the audit log of users and memberships that follow from external tokens
 */
export function createIdentity(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: IdentityConfig;
  readonly changes?: RightsChanges;
  readonly secondFactor?: SecondFactor;
  readonly recordExternal?: ExternalRecords;
  readonly heldFrom?: HeldFrom;
  readonly caches?: Pick<CacheMeters, "add">;
}): Identity {
  const { db, clock, config, changes = UNWATCHED, secondFactor = null, recordExternal = UNRECORDED } = deps;
  const { heldFrom = literally } = deps;
  const { tokenLifetimeS, issuer, audience } = config;
  const keys = createKeyRing({ db, clock, tokenLifetimeS, changes });
  const tokens = createBuiltInTokens({ keys, clock, issuer, audience, tokenLifetimeS });
  const { external } = config;
  const { signedIn: record } = recordExternal;
  const verifier = external === null ? tokens : createExternalIssuer(external, clock);
  const userIdOf =
    external === null
      ? async (claims: TokenClaims): Promise<string | null> => claims.subject
      : createExternalUsers({ db, clock, config: external, record: recordExternal });
  const passwords = createPasswordLogin({
    db,
    clock,
    tokens,
    tokenLifetimeS,
    secondFactor,
    mfaTokens: createMfaTokens({ keys, clock, issuer }),
    throttle: createLoginThrottle({ db, clock }),
  });
  const consoleTokens = createBuiltInTokens({ keys, clock, issuer, audience: CONSOLE_AUDIENCE, tokenLifetimeS });
  const consoleSessions = createConsoleSessions({
    db,
    clock,
    tokens: external === null ? tokens : consoleTokens,
    lengths: external === null ? PASSWORD_SESSION : ISSUER_SESSION,
  });

  const accounts = createWatchedCache(
    changes,
    createAccountReader(db, heldFrom),
    ({ permissions }) => permissions.size,
  );
  deps.caches?.add("users", accounts.reading);
  const authentication = {
    tokens: rememberTokens(verifier, clock, changes),
    userIdOf,
    hasVersions: external === null,
  };
  // Tokens of the console follow from tokens of the issuer, and are the service's own.
  const consoleAuthentication = {
    tokens: rememberTokens(consoleTokens, clock, changes),
    userIdOf: async ({ subject }: TokenClaims): Promise<string | null> => subject,
    hasVersions: true,
  };
  const credentialOf = async (token: string): Promise<Credential> =>
    await authenticateToken(
      external !== null && isOfConsole(token, issuer) ? consoleAuthentication : authentication,
      token,
    );
  const apiKeys = createApiKeyAuthentication({ db, clock, changes, heldFrom });
  return {
    builtIn: external === null ? { issuer, keys, consoleSessions, ...passwords } : null,
    issuerConsole: issuerConsoleOf(external, { sessions: consoleSessions, db, clock, verifier, userIdOf, record }),
    prepare: async () => verifier.prepare?.(),
    async authenticate(authorization, demand = NO_DEMAND) {
      if (authorization === undefined) return null;
      const token = bearerToken(authorization);
      const credential = token.startsWith(API_KEY_PREFIX)
        ? await apiKeys.ofKey(token, demand.freshness)
        : await credentialOf(token);
      return judge(accounts, credential, demand);
    },
    authenticateToken: async (token) => judge(accounts, await credentialOf(token), NO_DEMAND),
    recentCallers: async (userIds) =>
      callersOf(await accounts.readAll([...new Set(userIds)], (ids) => findAccounts(db, ids, heldFrom))),
    callerOf: async (userId, name) => judge(accounts, await credentialNamed(apiKeys, userId, name), NO_DEMAND),
  };
}

async function credentialNamed(
  apiKeys: Pick<ApiKeyAuthentication, "ofName">,
  userId: string,
  name: string,
): Promise<Credential> {
  const named = namedCredential(name);
  if (named === null) throw new ServiceError("NOT-AUTHORIZED", "The address names no credential");
  if (named.kind === "user") return namedUser(userId, named.tokenVersion, named.secondFactor);
  const credential = await apiKeys.ofName(named.keyId);
  if (credential.userId === userId) return credential;
  throw new ServiceError("NOT-AUTHORIZED", "The API key is of another user");
}

function issuerConsoleOf(
  external: ExternalIssuerConfig | null,
  parts: Omit<Parameters<typeof createIssuerConsole>[0], "external">,
): IssuerConsole | null {
  return external === null ? null : createIssuerConsole({ external, ...parts });
}

function bearerToken(authorization: string): string {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new ServiceError("INVALID-AUTHORIZATION-HEADER", 'Expected the header "Authorization: Bearer <token>"');
}
