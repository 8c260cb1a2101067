import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * What makes an address a right of its own: only the service can have written it.
 *
 * @param key at least 32 bytes, for one purpose
 * @param text begins with what the signature is for, so that one kind of address never passes for another
 */
export function signText(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Whether the signature is that of the text; takes the same time for every wrong one. */
export function isSignatureOf(key: Uint8Array, text: string, signature: string): boolean {
  const expected = Buffer.from(signText(key, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
