import { createHash } from "node:crypto";
import type { Recurrence } from "@swath/kernel/tasking/recurrence";
import canonicalize from "canonicalize";

function digest(parts: readonly unknown[]): string {
  const json = canonicalize(parts);
  if (json === undefined) throw new TypeError("a request is JSON");
  return createHash("sha256").update(json, "utf8").digest("base64url");
}

/** The members by which a repeated request is known. */
export interface RepeatableOrder {
  readonly userId: string;
  /** The request without its idempotency key. */
  readonly parameters: object;
  readonly idempotencyKey?: string | undefined;
  /** Of an order that repeats. */
  readonly child?: { readonly recurrence: Recurrence; readonly index: number } | undefined;
}

/** Digest of the idempotency key where there is one, else of the parameters with their window. */
export function orderRequestKey({ userId, parameters, idempotencyKey, child }: RepeatableOrder): string {
  const what = idempotencyKey === undefined ? ["parameters", parameters] : ["key", idempotencyKey];
  return digest([userId, ...what, ...(child === undefined ? [] : [child.recurrence, child.index])]);
}

/** An ID that equal requests of a user share, in the form of a UUID of version 8 (RFC 9562). */
export function batchIdOf(userId: string, request: object): string {
  const hex = createHash("sha256")
    .update(digest(["batch", userId, request]))
    .digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
