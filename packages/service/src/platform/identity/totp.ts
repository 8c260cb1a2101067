import { Secret, TOTP } from "otpauth";

/** Settings that every authenticator application supports: SHA-1, six digits, a new code every 30 s (RFC 6238). */
const SETTINGS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes are taken too: clocks and fingers are slow. */
const WINDOW_STEPS = 1;
const CODE = /^\d{6}$/;

/** 160 random bits, as RFC 4226 section 4 recommends. */
export function newTotpSecret(): Uint8Array {
  return new Secret({ size: SECRET_BYTES }).bytes;
}

/** The secret as people type it: Base32. */
export function totpSecretText(secret: Uint8Array): string {
  return secretOf(secret).base32;
}

/** The `otpauth://` address that authenticator applications read from a QR code. */
export function totpUri(secret: Uint8Array, label: string): string {
  return new TOTP({ ...SETTINGS, issuer: "Swath", label, secret: secretOf(secret) }).toString();
}

/**
 * Number of the 30 s step whose code this is, among the present one and its neighbours, or null.
 *
 * @param code six digits; spaces between them are ignored, as applications show them in groups
 */
export function totpStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const digits = code.replaceAll(" ", "");
  if (!CODE.test(digits)) return null;
  const totp = new TOTP({ ...SETTINGS, secret: secretOf(secret) });
  const delta = totp.validate({ token: digits, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : TOTP.counter({ period: SETTINGS.period, timestamp: nowMs }) + delta;
}

function secretOf(bytes: Uint8Array): Secret {
  // A copy: the library reads the whole buffer behind a view.
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
