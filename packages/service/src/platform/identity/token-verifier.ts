import { errors } from "jose";
import { ServiceError } from "../../errors.ts";

/** What the service reads from a valid token. */
export interface TokenClaims {
  /** The user's id at the issuer. */
  readonly subject: string;
  /** Lower case; null when the token carries none or says that it is not verified. */
  readonly email: string | null;
  readonly expiresAtMs: number;
  /** `ver` of a token of the built-in provider; 0 when it has none. */
  readonly tokenVersion: number;
}

/** Checks signature, issuer, audience and time of a token. */
export interface TokenVerifier {
  /** @throws {ServiceError} INVALID-JWT; SERVICE-UNAVAILABLE when the issuer's keys cannot be had */
  verify(token: string): Promise<TokenClaims>;
}

/** Reads the claims of a verified payload. @throws {ServiceError} INVALID-JWT when one is missing */
export function readClaims(payload: Readonly<Record<string, unknown>>): TokenClaims {
  const { sub, email, exp } = payload;
  if (typeof sub !== "string" || sub === "") throw new ServiceError("INVALID-JWT", "The token has no sub claim");
  if (typeof exp !== "number") throw new ServiceError("INVALID-JWT", "The token has no exp claim");
  const verified = payload["email_verified"] !== false;
  return {
    subject: sub,
    email: typeof email === "string" && verified ? email.toLowerCase() : null,
    expiresAtMs: exp * 1000,
    tokenVersion: typeof payload["ver"] === "number" ? payload["ver"] : 0,
  };
}

/** The INVALID-JWT error for whatever a verification threw; failures to reach an issuer stay what they are. */
export function tokenError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof errors.JWTExpired) {
    return new ServiceError("INVALID-JWT", "Signature has expired", { cause: error });
  }
  if (error instanceof errors.JWKSTimeout) {
    return new ServiceError("SERVICE-UNAVAILABLE", "The identity provider does not answer", {
      cause: error,
      headers: { "retry-after": "5" },
    });
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new ServiceError("INVALID-JWT", `The token's claim ${error.claim} is not accepted`, { cause: error });
  }
  if (error instanceof errors.JOSEError) {
    return new ServiceError("INVALID-JWT", "The token cannot be verified", { cause: error });
  }
  return error;
}
