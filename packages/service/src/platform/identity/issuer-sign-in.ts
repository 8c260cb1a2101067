import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  AuthorizationResponseError,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type Configuration,
} from "openid-client";
import { decodeJwt } from "jose";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** The client with which the console asks an external issuer. */
export interface IssuerClient {
  readonly issuer: string;
  readonly audience: string;
  readonly clientId: string;
  /** Scopes, between spaces. */
  readonly scope: string;
  /** RFC 8707; null: the issuer needs none. */
  readonly resource: string | null;
}

/** A sign-in that has begun: the secret stays in the browser that began it. */
interface BegunSignIn {
  /** Page of the issuer. */
  readonly address: string;
  readonly secret: string;
}

/** Sign-in at an external issuer by the code flow with PKCE. */
export interface IssuerSignIn {
  readonly issuer: string;
  /** @throws {ServiceError} SERVICE-UNAVAILABLE */
  begin(redirectUri: string): Promise<BegunSignIn>;
  /**
   * A token of the issuer for the service, from the address that the browser came back to. State, nonce and, where the
   * issuer sends it, the name of the issuer are checked.
   *
   * @throws {IssuerRefusal} for a user who was refused, another state, another nonce or a used code
   * @throws {ServiceError} SERVICE-UNAVAILABLE
   */
  finish(callback: URL, secret: string): Promise<string>;
}

/** The issuer gives no token for this sign-in. */
export class IssuerRefusal extends Error {}

const TIMEOUT_S = 5;
const SECRET = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export function createIssuerSignIn(client: IssuerClient): IssuerSignIn {
  let discovered: Promise<Configuration> | null = null;
  const configuration = (): Promise<Configuration> => {
    if (discovered !== null) return discovered;
    const found = discover(client);
    discovered = found;
    // A failure is forgotten, so that the next sign-in asks again.
    found.catch(() => {
      discovered = null;
    });
    return found;
  };
  const resource: Readonly<Record<string, string>> = client.resource === null ? {} : { resource: client.resource };
  return {
    issuer: client.issuer,

    async begin(redirectUri) {
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const url = buildAuthorizationUrl(await configuration(), {
        ...resource,
        scope: client.scope,
        redirect_uri: redirectUri,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      });
      return { address: url.href, secret: [state, nonce, verifier].join(".") };
    },

    async finish(callback, secret) {
      const [, expectedState, expectedNonce, pkceCodeVerifier] = SECRET.exec(secret) ?? [];
      if (expectedState === undefined || expectedNonce === undefined || pkceCodeVerifier === undefined) {
        throw new IssuerRefusal("this browser has begun no sign-in");
      }
      const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
      const issuer = await configuration();
      const tokens = await authorizationCodeGrant(issuer, callback, checks, { ...resource }).catch((cause: unknown) => {
        throw refusalOf(cause) ?? unavailable(cause);
      });
      const found = [tokens.access_token, tokens.id_token].find((token) => isFor(client.audience, token));
      if (found === undefined) throw new IssuerRefusal(`it gives no token for the audience "${client.audience}"`);
      return found;
    },
  };
}

async function discover({ issuer, clientId }: IssuerClient): Promise<Configuration> {
  const url = new URL(issuer);
  const execute = url.protocol === "http:" ? [allowInsecureRequests] : [];
  try {
    return await discovery(url, clientId, undefined, None(), { execute, timeout: TIMEOUT_S });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Null for a failure that another try may not have. */
function refusalOf(cause: unknown): IssuerRefusal | null {
  if (cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError) {
    return cause instanceof ResponseBodyError && cause.status >= 500 ? null : new IssuerRefusal(cause.error, { cause });
  }
  const isReach = cause instanceof ClientError && cause.code === "OAUTH_TIMEOUT";
  if (!(cause instanceof ClientError) || isReach) return null;
  // The check that failed is the cause of the general error.
  return new IssuerRefusal(cause.cause instanceof Error ? cause.cause.message : cause.message, { cause });
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("SERVICE-UNAVAILABLE", "The identity provider does not answer", { cause, retryAfterS: 5 });
}

function isFor(audience: string, token: string | undefined): boolean {
  if (token === undefined) return false;
  try {
    const { aud = [] } = decodeJwt(token);
    return [aud].flat().includes(audience);
  } catch {
    // An opaque token, which only the issuer reads.
    return false;
  }
}
