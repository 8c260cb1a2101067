import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db, Trx } from "../context.ts";
import { createAccountReader } from "./account-reader.ts";
import { createApiKeyAuthentication } from "./api-key-authentication.ts";
import { API_KEY_PREFIX } from "./api-key.ts";
import { authenticateToken, usableAccount } from "./authenticate-token.ts";
import { createExternalIssuer } from "./external-issuer.ts";
import type { ExternalIssuerConfig } from "./external-issuer.ts";
import { createExternalUsers } from "./external-users.ts";
import type { MadeUser } from "./external-users.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { createMfaTokens } from "./mfa-token.ts";
import { createPasswordLogin } from "./password-login.ts";
import type { PasswordLogin } from "./password-login.ts";
import { rememberTokens } from "./remembered-tokens.ts";
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

/** The provider built into the service; absent when an external issuer is configured. */
export interface BuiltInProvider extends PasswordLogin {
  readonly issuer: string;
  readonly keys: KeyRing;
}

/** Authenticates callers. A change of rights holds from the next request on. */
export interface Identity {
  readonly builtIn: BuiltInProvider | null;
  /**
   * The caller behind an `Authorization` header, or null without one.
   *
   * @throws {ServiceError} INVALID-AUTHORIZATION-HEADER; INVALID-JWT; NOT-AUTHORIZED for a blocked or unknown user and
   *   for an invalid API key. MFA-REQUIRED for a credential without the second factor that the user needs
   */
  authenticate(authorization: string | undefined): Promise<Caller | null>;
  /** The caller of a bare user token; API keys are refused. @throws {ServiceError} as `authenticate` */
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

  const readAccount = createAccountReader(db);
  const authentication = {
    tokens: rememberTokens(verifier, clock),
    userIdOf,
    readAccount,
    hasVersions: external === null,
  };
  const authenticateKey = createApiKeyAuthentication({
    db,
    clock,
    accountOf: (userId, proved) => usableAccount(readAccount, userId, proved),
  });
  return {
    builtIn: external === null ? { issuer, keys, ...passwords } : null,
    async authenticate(authorization) {
      if (authorization === undefined) return null;
      const token = bearerToken(authorization);
      return token.startsWith(API_KEY_PREFIX) ? authenticateKey(token) : authenticateToken(authentication, token);
    },
    authenticateToken: (token) => authenticateToken(authentication, token),
  };
}

function bearerToken(authorization: string): string {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new ServiceError("INVALID-AUTHORIZATION-HEADER", 'Expected the header "Authorization: Bearer <token>"');
}
