import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db, Trx } from "../context.ts";
import { createAccountReader } from "./account-reader.ts";
import type { Account } from "./account-store.ts";
import { createApiKeyAuthentication } from "./api-key-authentication.ts";
import { API_KEY_PREFIX } from "./api-key.ts";
import { createExternalIssuer } from "./external-issuer.ts";
import type { ExternalIssuerConfig } from "./external-issuer.ts";
import { createExternalUsers } from "./external-users.ts";
import type { MadeUser } from "./external-users.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { createMfaTokens } from "./mfa-token.ts";
import { createPasswordLogin } from "./password-login.ts";
import type { PasswordLogin } from "./password-login.ts";
import type { SecondFactor } from "./second-factor.ts";
import { createKeyRing } from "./signing-keys.ts";
import type { KeyRing } from "./signing-keys.ts";
import type { TokenClaims } from "./token-verifier.ts";
import { createBuiltInTokens } from "./tokens.ts";

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

const TOKEN_CACHE_SIZE = 10_000;
/** A signature is checked again after this time, so that a key that was withdrawn ends its tokens; milliseconds. */
const TOKEN_CACHE_MS = 60_000;
/** Longer tokens are refused unread; ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 8192;

/** The provider built into the service; absent when an external issuer is configured. */
export interface BuiltInProvider extends PasswordLogin {
  readonly issuer: string;
  readonly keys: KeyRing;
}

/** Says who is calling. What it says is never older than the call: a change of rights holds from the next request on. */
export interface Identity {
  readonly builtIn: BuiltInProvider | null;
  /**
   * The caller behind an `Authorization` header, or null without one.
   *
   * @throws {ServiceError} INVALID-AUTHORIZATION-HEADER; INVALID-JWT; NOT-AUTHORIZED for a blocked or unknown user and
   *   for an API key that is not good; MFA-REQUIRED for a credential without a second factor of a user who needs one
   */
  authenticate(authorization: string | undefined): Promise<Caller | null>;
  /** The caller behind a user's bare token; API keys are none. @throws {ServiceError} as `authenticate` */
  authenticateToken(token: string): Promise<Caller>;
}

export const ANONYMOUS: Caller = { kind: "anonymous", userId: "", groupId: "", email: "", permissions: new Set() };

/**
 * @param deps.secondFactor without it, users who need a second factor cannot sign in
 * @param deps.recordMadeUser writes the audit log when a user is made from an external token
 */
export function createIdentity(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: IdentityConfig;
  readonly secondFactor?: SecondFactor;
  readonly recordMadeUser?: (trx: Trx, made: MadeUser) => Promise<void>;
}): Identity {
  const { db, clock, config, secondFactor = null, recordMadeUser = async () => {} } = deps;
  const { tokenLifetimeS, issuer, audience } = config;
  const keys = createKeyRing({ db, clock, tokenLifetimeS });
  const tokens = createBuiltInTokens({ keys, clock, issuer, audience, tokenLifetimeS });
  const { external } = config;
  const verifier = external === null ? tokens : createExternalIssuer(external, clock);
  const userIdOf =
    external === null
      ? async (claims: TokenClaims): Promise<string | null> => claims.subject
      : createExternalUsers({ db, clock, config: external, record: recordMadeUser });
  const passwords = createPasswordLogin({
    db,
    clock,
    tokens,
    tokenLifetimeS,
    secondFactor,
    mfaTokens: createMfaTokens({ keys, clock, issuer }),
    throttle: createLoginThrottle({ db, clock }),
  });

  const verified = new LRUCache<string, { readonly claims: TokenClaims; readonly verifiedAtMs: number }>({
    max: TOKEN_CACHE_SIZE,
  });
  const readAccount = createAccountReader(db);
  const authenticateKey = createApiKeyAuthentication({ db, clock, accountOf });

  async function claimsOf(token: string): Promise<TokenClaims> {
    const nowMs = clock.now().getTime();
    const known = verified.get(token);
    if (known !== undefined && nowMs < known.claims.expiresAtMs && nowMs - known.verifiedAtMs < TOKEN_CACHE_MS) {
      return known.claims;
    }
    verified.delete(token);
    const claims = await verifier.verify(token);
    verified.set(token, { claims, verifiedAtMs: nowMs });
    return claims;
  }

  /** The user as it is now, if a credential of its can be taken at all. */
  async function accountOf(userId: string | null, proved: boolean): Promise<Account> {
    const account = userId === null ? null : await readAccount(userId);
    if (account === null) throw new ServiceError("NOT-AUTHORIZED", "The token's user is not known here");
    if (account.blocked) throw new ServiceError("NOT-AUTHORIZED", "The user is blocked");
    if (account.requireMfa && !proved) {
      throw new ServiceError("MFA-REQUIRED", "The user needs a second factor; request a token again to give one");
    }
    return account;
  }

  async function authenticateToken(token: string): Promise<Caller> {
    if (token.length > MAX_TOKEN_LENGTH) throw new ServiceError("INVALID-JWT", "The token is too long");
    if (token.startsWith(API_KEY_PREFIX)) throw new ServiceError("NOT-AUTHORIZED", "An API key is no user's token");
    const claims = await claimsOf(token);
    const account = await accountOf(await userIdOf(claims), claims.secondFactor);
    if (external === null && claims.tokenVersion !== account.tokenVersion) {
      throw new ServiceError("INVALID-JWT", "The password was changed after the token was issued");
    }
    return {
      kind: "user",
      userId: account.id,
      groupId: account.groupId,
      email: account.email,
      permissions: account.permissions,
      secondFactor: claims.secondFactor,
    };
  }

  return {
    builtIn: external === null ? { issuer, keys, ...passwords } : null,
    async authenticate(authorization) {
      if (authorization === undefined) return null;
      const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
      if (token === undefined) {
        throw new ServiceError("INVALID-AUTHORIZATION-HEADER", 'Expected the header "Authorization: Bearer <token>"');
      }
      return token.startsWith(API_KEY_PREFIX) ? authenticateKey(token) : authenticateToken(token);
    },
    authenticateToken,
  };
}
