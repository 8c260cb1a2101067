import type { Clock } from "@swath/base/clock";
import type { HttpTransport } from "@swath/raster/remote/http-transport";
import type { Attempt } from "./outcome-store.ts";
import type { DueDelivery } from "./turn-store.ts";
import { signatures } from "./webhook-secret.ts";

export interface PostDeps {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** Longest wait for a whole answer. */
  readonly timeoutMs: number;
}

/** Bytes of an answer that are read; receivers have nothing to say beyond a status. */
const MAX_ANSWER_BYTES = 16_384;
const MAX_ERROR_LENGTH = 300;

/** Posts an event once. Never rejects: no answer is an outcome, too. */
export async function postEvent(
  { transport, clock, timeoutMs }: PostDeps,
  delivery: DueDelivery,
  { url, secrets }: { readonly url: string; readonly secrets: readonly Uint8Array[] },
  signal: AbortSignal,
): Promise<Attempt> {
  const at = clock.now();
  const body = bodyOf(delivery);
  const message = { id: delivery.eventId, timestampS: Math.floor(at.getTime() / 1000), body };
  const startedMs = performance.now();
  const ended = (status: number | null, error: string | null): Attempt => {
    return { at: at.toISOString(), status, durationMs: Math.round(performance.now() - startedMs), error };
  };
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const { status } = await transport({
      method: "POST",
      url: new URL(url),
      body,
      headers: {
        "webhook-id": message.id,
        "webhook-timestamp": String(message.timestampS),
        "webhook-signature": signatures(message, secrets),
      },
      maxBytes: MAX_ANSWER_BYTES,
      signal: AbortSignal.any([signal, deadline]),
    });
    return ended(status, isTaken(status) ? null : `the receiver answered ${status}`);
  } catch (error) {
    return ended(null, deadline.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error));
  }
}

/** Whether the receiver has taken the event. Redirects are not followed. */
export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function bodyOf({ type, subject, createdAt, data }: DueDelivery): string {
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), subject, data });
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, MAX_ERROR_LENGTH).toWellFormed().replaceAll("\0", " ");
}
