import { hash, verify } from "@node-rs/argon2";

/** Argon2id with the parameters OWASP recommends for 19 MiB (Password Storage Cheat Sheet, 2024). */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Longest password taken, in characters: more would only buy an attacker hashing time. */
const MAX_PASSWORD_LENGTH = 1024;

/** The password as a PHC string with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

let decoy: Promise<string> | null = null;

/**
 * Whether the password belongs to the stored hash. An absent hash costs the same time and is never matched, so
 * that the time of the answer does not tell which accounts exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const tooLong = password.length > MAX_PASSWORD_LENGTH;
  decoy ??= hashPassword("no account has this password");
  const matches = await verify(stored ?? (await decoy), tooLong ? "" : password);
  return matches && stored !== null && !tooLong;
}
