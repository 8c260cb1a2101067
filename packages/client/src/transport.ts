import { readApiError } from "./api-error.ts";
import type { ApiError } from "./api-error.ts";
import { wait } from "./wait.ts";

export interface RetryOptions {
  /** Most requests for one call with answers 429 or 503. Default 5. */
  readonly maxAttempts: number;
  /** Longest accepted `Retry-After`, milliseconds. Default 60 000. */
  readonly maxWaitMs: number;
}

export const DEFAULT_RETRY: RetryOptions = { maxAttempts: 5, maxWaitMs: 60_000 };

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const FIRST_WAIT_MS = 500;

/**
 * Sends a request and repeats it after 429 and 503, with the pause of `Retry-After`, within bounds.
 *
 * @returns an answer below 400
 * @throws {ApiError} of the last answer
 */
export async function sendWithRetries(
  fetchIt: Fetch,
  retry: RetryOptions,
  url: string,
  init: () => Promise<RequestInit>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetchIt(url, { ...(await init()), ...(signal === undefined ? {} : { signal }) });
    if (answer.status < 400) return answer;
    const retryable = answer.status === 429 || answer.status === 503;
    const waitMs = retryAfterMs(answer) ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
    const error: ApiError = await readApiError(answer);
    if (!retryable || attempt >= retry.maxAttempts || waitMs > retry.maxWaitMs) throw error;
    await wait(waitMs, signal);
  }
}

/** `Retry-After` in seconds; the service never sends its date form. */
function retryAfterMs(answer: Response): number | null {
  const text = answer.headers.get("retry-after");
  return text !== null && /^\d+$/.test(text) ? Number(text) * 1000 : null;
}
