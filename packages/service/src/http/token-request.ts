import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ExchangeRequest } from "../platform/identity/password-login.ts";

/** The second leg of a sign-in. @throws {ServiceError} BAD-REQUEST */
export function readExchange(body: unknown, address: string, legs: ExchangeRequest["legs"]): ExchangeRequest {
  const mfaToken = textOf(body, "mfa_token");
  if (mfaToken === undefined) throw new ServiceError("BAD-REQUEST", "Expected mfa_token");
  const otp = textOf(body, "otp");
  const recoveryCode = textOf(body, "recovery_code");
  if (otp !== undefined && recoveryCode !== undefined) {
    throw new ServiceError("BAD-REQUEST", "Got otp and recovery_code, expected one of them");
  }
  const proof = otp !== undefined ? { otp } : recoveryCode !== undefined ? { recoveryCode } : null;
  return { mfaToken, proof, address, legs };
}

/** A member that is text; undefined for any other value. */
export function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}
