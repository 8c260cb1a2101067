import { errors } from "jose";
import type { ClaimMapping } from "../config/issuer-variables.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";

import { claimedGroups, type ClaimedGroups } from "./claimed-groups.ts";

const MAX_NAME_LENGTH = 200;

/** Claims of a valid token that the service reads. */
export interface TokenClaims {
  /** The user's id at the issuer. */
  readonly subject: string;
  /** Lower case; null when the token carries none or does not say that it is verified. */
  readonly email: string | null;
  /** Null when the token carries none. */
  readonly name: string | null;
  readonly expiresAtMs: number;
  /** Whether more than one factor was proved: `amr` holds `mfa` (RFC 8176). */
  readonly secondFactor: boolean;
  /** `ver` of a token of the built-in provider; 0 when it has none. */
  readonly tokenVersion: number;
  /** `iat`; 0 when it has none. */
  readonly issuedAtMs: number;
  /** Null: the claims of the issuer name no groups. */
  readonly groups: ClaimedGroups | null;
}

/** Checks signature, issuer, audience and time of a token. */
export interface TokenVerifier {
  /** @throws {ServiceError} INVALID-JWT; SERVICE-UNAVAILABLE when the keys of the issuer are unreachable */
  verify(token: string): Promise<TokenClaims>;
  /** Asks for the keys of signatures. @throws {ServiceError} SERVICE-UNAVAILABLE with the reason */
  prepare?(): Promise<void>;
}

/** Reads the claims of a verified payload. @throws {ServiceError} INVALID-JWT when one is missing */
export function readClaims(
  payload: Readonly<Record<string, unknown>>,
  mapping: ClaimMapping | null = null,
): TokenClaims {
  const { sub, email, exp, iat, amr, name } = payload;
  if (typeof sub !== "string" || sub === "") throw new ServiceError("INVALID-JWT", "The token has no sub claim");
  if (typeof exp !== "number") throw new ServiceError("INVALID-JWT", "The token has no exp claim");
  // Some issuers send the boolean as text. Without the claim nobody has said that the address is the user's.
  const verified = payload["email_verified"] === true || payload["email_verified"] === "true";
  return {
    subject: sub,
    email: typeof email === "string" && verified ? email.toLowerCase() : null,
    name: typeof name === "string" && name !== "" ? name.slice(0, MAX_NAME_LENGTH) : null,
    expiresAtMs: exp * 1000,
    secondFactor: Array.isArray(amr) && amr.includes("mfa"),
    tokenVersion: typeof payload["ver"] === "number" ? payload["ver"] : 0,
    issuedAtMs: typeof iat === "number" ? iat * 1000 : 0,
    groups: mapping === null ? null : claimedGroups(payload, mapping),
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
      retryAfterS: 5,
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
