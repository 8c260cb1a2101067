import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "../../platform/identity/sealed-secret.ts";

const SECRET_BYTES = 32;
const PREFIX = "whsec_";

/** A new key of a webhook. */
export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The key as its owner is shown it once. */
export function shownSecret(secret: Uint8Array): string {
  return PREFIX + Buffer.from(secret).toString("base64");
}

/** The key for the database: readable for this service and webhook alone. */
export function sealSecret(key: Uint8Array, secret: Uint8Array, webhookId: string): Buffer {
  return seal(key, secret, `webhook ${webhookId}`);
}

/** @throws {Error} when it was sealed for another service or webhook */
export function openSecret(key: Uint8Array, sealed: Uint8Array, webhookId: string): Buffer {
  return unseal(key, sealed, `webhook ${webhookId}`);
}

export interface SignedMessage {
  /** The same in every attempt. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestampS: number;
  readonly body: string;
}

/** `webhook-signature` of Standard Webhooks: a signature for each key, separated by spaces. */
export function signatures({ id, timestampS, body }: SignedMessage, secrets: readonly Uint8Array[]): string {
  const sign = (secret: Uint8Array): string =>
    `v1,${createHmac("sha256", secret).update(`${id}.${timestampS}.${body}`).digest("base64")}`;
  return secrets.map(sign).join(" ");
}
