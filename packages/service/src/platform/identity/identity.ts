import { LRUCache } from "lru-cache";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../clock.ts";
import type { Caller, Db } from "../context.ts";
import { createAccountReader } from "./account-reader.ts";
import { bindExternalSubject } from "./account-store.ts";
import { createExternalIssuer } from "./external-issuer.ts";
import type { ExternalIssuerConfig } from "./external-issuer.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { createPasswordLogin } from "./password-login.ts";
import type { LoginOutcome, LoginRequest } from "./password-login.ts";
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

const BINDING_CACHE_SIZE = 10_000;
const TOKEN_CACHE_SIZE = 10_000;
/** Longer tokens are refused unread; ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 8192;

/** The provider built into the service; absent when an external issuer is configured. */
export interface BuiltInProvider {
  readonly issuer: string;
  readonly keys: KeyRing;
  login(request: LoginRequest): Promise<LoginOutcome>;
}

/** Says who is calling. What it says is never older than the call: a change of rights holds from the next request on. */
export interface Identity {
  readonly builtIn: BuiltInProvider | null;
  /**
   * The caller behind an `Authorization` header, or null without one.
   *
   * @throws {ServiceError} INVALID-AUTHORIZATION-HEADER, INVALID-JWT, NOT-AUTHORIZED for a blocked or unknown user
   */
  authenticate(authorization: string | undefined): Promise<Caller | null>;
  /** The caller behind a bare token. @throws {ServiceError} as `authenticate` */
  authenticateToken(token: string): Promise<Caller>;
}

export const ANONYMOUS: Caller = { kind: "anonymous", userId: "", groupId: "", email: "", permissions: new Set() };

export function createIdentity(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: IdentityConfig;
}): Identity {
  const { db, clock, config } = deps;
  const { tokenLifetimeS, issuer, audience } = config;
  const keys = createKeyRing({ db, clock, tokenLifetimeS });
  const tokens = createBuiltInTokens({ keys, clock, issuer, audience, tokenLifetimeS });
  const verifier = config.external === null ? tokens : createExternalIssuer(config.external, clock);
  const login = createPasswordLogin({
    db,
    clock,
    tokens,
    tokenLifetimeS,
    throttle: createLoginThrottle({ db, clock }),
  });

  const verified = new LRUCache<string, TokenClaims>({ max: TOKEN_CACHE_SIZE });
  const bindings = new LRUCache<string, string>({ max: BINDING_CACHE_SIZE });
  const accountOf = createAccountReader(db);

  async function claimsOf(token: string): Promise<TokenClaims> {
    const known = verified.get(token);
    if (known !== undefined) {
      if (clock.now().getTime() < known.expiresAtMs) return known;
      verified.delete(token);
    }
    const claims = await verifier.verify(token);
    verified.set(token, claims);
    return claims;
  }

  async function userIdOf(claims: TokenClaims): Promise<string | null> {
    if (config.external === null) return claims.subject;
    const known = bindings.get(claims.subject);
    if (known !== undefined) return known;
    const userId = await bindExternalSubject(db, claims.subject, claims.email);
    if (userId !== null) bindings.set(claims.subject, userId);
    return userId;
  }

  async function authenticateToken(token: string): Promise<Caller> {
    if (token.length > MAX_TOKEN_LENGTH) throw new ServiceError("INVALID-JWT", "The token is too long");
    const claims = await claimsOf(token);
    const userId = await userIdOf(claims);
    const account = userId === null ? null : await accountOf(userId);
    if (account === null) throw new ServiceError("NOT-AUTHORIZED", "The token's user is not known here");
    if (account.blocked) throw new ServiceError("NOT-AUTHORIZED", "The user is blocked");
    if (config.external === null && claims.tokenVersion !== account.tokenVersion) {
      throw new ServiceError("INVALID-JWT", "The password was changed after the token was issued");
    }
    return {
      kind: "user",
      userId: account.id,
      groupId: account.groupId,
      email: account.email,
      permissions: account.permissions,
    };
  }

  return {
    builtIn: config.external === null ? { issuer, keys, login } : null,
    async authenticate(authorization) {
      if (authorization === undefined) return null;
      const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
      if (token === undefined) {
        throw new ServiceError("INVALID-AUTHORIZATION-HEADER", 'Expected the header "Authorization: Bearer <token>"');
      }
      return authenticateToken(token);
    },
    authenticateToken,
  };
}
