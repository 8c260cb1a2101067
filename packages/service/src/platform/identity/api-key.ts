import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** Prefix of every API key and of no JWT. */
export const API_KEY_PREFIX = "key_";

const ID_LENGTH = 12;
const SECRET_BYTES = 32;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY = /^key_([0-9A-Za-z]{12})_([0-9A-Za-z_-]{43})$/;

export interface NewApiKey {
  /** Public: by it the key is found and shown. */
  readonly id: string;
  /** `key_<id>_<secret>`, to be shown once. */
  readonly key: string;
  readonly secretHash: Buffer;
}

/** A key with 256 random bits, such as `key_4fTz0QmW81Lb_…`. */
export function newApiKey(): NewApiKey {
  const id = Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { id, key: `${API_KEY_PREFIX}${id}_${secret}`, secretHash: hashOf(secret) };
}

/** The parts of a key, or null for other text. */
export function readApiKey(key: string): { readonly id: string; readonly secret: string } | null {
  const match = KEY.exec(key);
  return match === null ? null : { id: match[1] ?? "", secret: match[2] ?? "" };
}

/** Displayed part of a key: it identifies the key and is useless as a credential. */
export function shownPrefix(id: string): string {
  return `${API_KEY_PREFIX}${id}`;
}

const NO_KEY = Buffer.alloc(32);

/** Whether the secret matches the stored hash; constant time, also without a key. */
export function secretMatches(secret: string, storedHash: Uint8Array | null): boolean {
  const equal = timingSafeEqual(hashOf(secret), storedHash ?? NO_KEY);
  return equal && storedHash !== null;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
