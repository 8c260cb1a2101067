import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** What every API key begins with; no JWT does. */
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

/** What people see of a key: enough to tell it from others, nothing to use it with. */
export function shownPrefix(id: string): string {
  return `${API_KEY_PREFIX}${id}`;
}

const NO_KEY = Buffer.alloc(32);

/** Whether the secret is that of the stored hash; takes the same time whether it is, is not, or there is no key. */
export function secretMatches(secret: string, storedHash: Uint8Array | null): boolean {
  const equal = timingSafeEqual(hashOf(secret), storedHash ?? NO_KEY);
  return equal && storedHash !== null;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
