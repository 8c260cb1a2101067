import { createRemoteJWKSet, jwtVerify } from "jose";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { certificateError } from "@swath/base/certificate-error";
import type { Clock } from "@swath/base/clock";
import type { ClaimMapping } from "../config/issuer-variables.ts";
import { readClaims, tokenError } from "./token-verifier.ts";
import type { TokenVerifier } from "./token-verifier.ts";

export interface ExternalIssuerConfig {
  /** How claims name groups; null or absent: they name none. */
  readonly mapping?: ClaimMapping | null;
  /** The issuer's address, with or without a slash at its end. */
  readonly issuer: string;
  readonly audience: string;
  /** Name of the group that unknown users with a verified e-mail are made in; null: they are refused. */
  readonly newUserGroup: string | null;
  /** Client of the web console; null or absent: it signs nobody in. */
  readonly clientId?: string | null;
  readonly scope?: string;
  readonly resource?: string | null;
  /** Least time between two looks at the issuer's keys for one that is not known, milliseconds. */
  readonly keyCooldownMs?: number;
}

const DISCOVERY_TIMEOUT_MS = 5000;
/** Tolerated difference of the clocks of the issuer and the service. */
const CLOCK_TOLERANCE_S = 5;
/** A new key of the issuer is refused this long at most; forged key ids cannot ask more often. */
const KEY_COOLDOWN_MS = 5000;
/** Keys that the issuer withdraws are good for this long at most. */
const KEY_MAX_AGE_MS = 600_000;
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

interface Discovered {
  /** As the issuer itself writes it, which is how its tokens have it: with or without a slash at the end. */
  readonly issuer: string;
  readonly keySet: ReturnType<typeof createRemoteJWKSet>;
}

/** Verifies tokens of an OpenID Connect issuer with the keys its discovery document names. */
export function createExternalIssuer(config: ExternalIssuerConfig, clock: Clock): TokenVerifier {
  let discovered: Promise<Discovered> | null = null;

  function discovery(): Promise<Discovered> {
    if (discovered !== null) return discovered;
    const found = discover(config);
    discovered = found;
    // A failure is forgotten, so that the next request asks again.
    found.catch(() => {
      discovered = null;
    });
    return found;
  }

  return {
    async prepare() {
      await discovery();
    },
    async verify(token) {
      const { issuer, keySet } = await discovery();
      try {
        const { payload } = await jwtVerify(token, keySet, {
          issuer,
          audience: config.audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: clock.now(),
        });
        return readClaims(payload, config.mapping);
      } catch (error) {
        const known = tokenError(error);
        if (known !== error || error instanceof ServiceError) throw known;
        throw unavailable(error, config);
      }
    },
  };
}

async function discover(config: ExternalIssuerConfig): Promise<Discovered> {
  const { issuer, keyCooldownMs } = config;
  try {
    const bare = withoutSlash(issuer);
    const address = `${bare}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    const document: unknown = await answer.json();
    if (typeof document !== "object" || document === null) throw new Error(`${address} is not an object`);
    const named = "issuer" in document ? document.issuer : null;
    if (typeof named !== "string" || withoutSlash(named) !== bare) throw new Error(`${address} names another issuer`);
    if (!("jwks_uri" in document) || typeof document.jwks_uri !== "string") {
      throw new Error(`${address} has no jwks_uri`);
    }
    const keys = new URL(document.jwks_uri);
    if (issuer.startsWith("https:") && keys.protocol !== "https:") throw new Error(`${address} has an open jwks_uri`);
    const keySet = createRemoteJWKSet(keys, {
      timeoutDuration: DISCOVERY_TIMEOUT_MS,
      cooldownDuration: keyCooldownMs ?? KEY_COOLDOWN_MS,
      cacheMaxAge: KEY_MAX_AGE_MS,
    });
    return { issuer: named, keySet };
  } catch (error) {
    throw unavailable(error, config);
  }
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}

function unavailable(cause: unknown, { issuer }: ExternalIssuerConfig): ServiceError {
  const certificate = certificateError(cause, new URL(issuer).host);
  const message = `The identity provider does not answer${certificate === null ? "" : `: ${certificate.message}`}`;
  return new ServiceError("SERVICE-UNAVAILABLE", message, {
    cause,
    retryAfterS: 5,
  });
}
