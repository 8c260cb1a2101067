import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Keys for one purpose, of at least 32 bytes. The first signs, all verify. Asked at each use, because keys rotate; never
 * empty.
 */
export type SigningKeys = () => readonly Uint8Array[];

/**
 * A signature that only the service can have written: it makes an address a right.
 *
 * @param text begins with the purpose of the signature, so that one kind of address never passes for another
 */
export function signText(keys: SigningKeys, text: string): string {
  const [key] = keys();
  if (key === undefined) throw new Error("there is no key to sign with");
  return signatureOf(key, text);
}

/** Whether one of the keys signed the text; takes the same time for every wrong signature. */
export function isSignatureOf(keys: SigningKeys, text: string, signature: string): boolean {
  const given = Buffer.from(signature);
  return keys().some((key) => {
    const expected = Buffer.from(signatureOf(key, text));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function signatureOf(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
