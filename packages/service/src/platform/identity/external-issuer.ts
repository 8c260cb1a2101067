import { createRemoteJWKSet, jwtVerify } from "jose";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../clock.ts";
import { readClaims, tokenError } from "./token-verifier.ts";
import type { TokenVerifier } from "./token-verifier.ts";

export interface ExternalIssuerConfig {
  /** The issuer's address, verbatim as in its tokens' `iss`. */
  readonly issuer: string;
  readonly audience: string;
}

const DISCOVERY_TIMEOUT_MS = 5000;
const CLOCK_TOLERANCE_S = 5;
/** Asymmetric algorithms only: with a symmetric one anybody who can verify could also issue. */
const ALGORITHMS = [
  "EdDSA",
  "Ed25519",
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Verifies tokens of an OpenID Connect issuer with the keys its discovery document names. */
export function createExternalIssuer(config: ExternalIssuerConfig, clock: Clock): TokenVerifier {
  let keySet: Promise<KeySet> | null = null;

  function keys(): Promise<KeySet> {
    if (keySet !== null) return keySet;
    const found = discover(config.issuer);
    keySet = found;
    // A failure is forgotten, so that the next request asks again.
    found.catch(() => {
      keySet = null;
    });
    return found;
  }

  return {
    async verify(token) {
      const set = await keys();
      try {
        const { payload } = await jwtVerify(token, set, {
          issuer: config.issuer,
          audience: config.audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: clock.now(),
        });
        return readClaims(payload);
      } catch (error) {
        const known = tokenError(error);
        if (known !== error || error instanceof ServiceError) throw known;
        throw unavailable(error);
      }
    },
  };
}

async function discover(issuer: string): Promise<KeySet> {
  try {
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    const document: unknown = await answer.json();
    if (typeof document !== "object" || document === null) throw new Error(`${address} is not an object`);
    if (!("issuer" in document) || document.issuer !== issuer) throw new Error(`${address} names another issuer`);
    if (!("jwks_uri" in document) || typeof document.jwks_uri !== "string") {
      throw new Error(`${address} has no jwks_uri`);
    }
    return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: DISCOVERY_TIMEOUT_MS });
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("SERVICE-UNAVAILABLE", "The identity provider does not answer", {
    cause,
    headers: { "retry-after": "5" },
  });
}
