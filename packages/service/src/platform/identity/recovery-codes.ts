import { createHash, randomInt } from "node:crypto";

export const RECOVERY_CODES = 10;
/** Crockford's Base32: no letter that looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Ten codes of 80 random bits each, such as `7k2m-9qpd-x4ha-03tz`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, randomGroup).join("-"));
}

function randomGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Stored hash of a code: SHA-256 with its owner. The codes are random, so a slow hash would add nothing. */
export function recoveryHash(code: string, userId: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return createHash("sha256").update(`${userId}:${plain}`).digest();
}
