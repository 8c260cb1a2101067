import { LRUCache } from "lru-cache";
import type { RateClass } from "@swath/contract/kit/access";
import type { Clock } from "@swath/base/clock";
import { ErrorWithHeaders } from "../error-with-headers.ts";

/** A bucket of tokens: refilled at `perSecond`, never holding more than `burst`. */
interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export type RateLimits = Readonly<Record<RateClass, RateLimit>>;

/** Whose bucket pays. */
export interface Payer {
  readonly rateClass: RateClass;
  /** Unique among users and addresses. */
  readonly name: string;
  /** Factor of the limit, by the tier of the caller. */
  readonly factor: number;
}

/** Callers remembered; a forgotten one starts with a full bucket. */
const MAX_BUCKETS = 100_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Buckets of this process. */
export interface RateLimiter {
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly buckets: LRUCache<string, Bucket>;
}

export function createRateLimiter(limits: RateLimits, clock: Clock): RateLimiter {
  return { limits, clock, buckets: new LRUCache({ max: MAX_BUCKETS }) };
}

/**
 * Takes tokens for a request. A request never costs more than the whole bucket, whatever its work is.
 *
 * @param spent tokens that the request has paid before
 * @returns the tokens taken, and the headers that state the limit
 * @throws {ErrorWithHeaders} TOO-MANY-REQUESTS with these headers and the seconds until the whole cost is there
 */
export function takeTokens(
  { limits, clock, buckets }: RateLimiter,
  payer: Payer,
  cost: number,
  spent: number,
): { readonly taken: number; readonly headers: Readonly<Record<string, string>> } {
  const { rateClass, name, factor } = payer;
  const perSecond = limits[rateClass].perSecond * factor;
  const burst = Math.max(1, Math.floor(limits[rateClass].burst * factor));
  const key = `${rateClass} ${name}`;
  const bucket = filled(buckets.get(key), { perSecond, burst }, clock.now().getTime());
  buckets.set(key, bucket);
  const whole = Math.min(burst, spent + cost);
  const taken = Math.max(0, whole - spent);
  if (bucket.tokens >= taken) {
    bucket.tokens -= taken;
    return { taken, headers: rateHeaders(rateClass, { perSecond, burst }, bucket.tokens) };
  }
  const waitS = Math.max(1, Math.ceil((whole - bucket.tokens) / perSecond));
  throw new ErrorWithHeaders(
    "TOO-MANY-REQUESTS",
    `Got a request that costs ${whole} ${whole === 1 ? "token" : "tokens"} of the limit "${rateClass}", expected at ` +
      `most ${Math.floor(bucket.tokens)}; ${perSecond} more come each second; try again in ${waitS} s`,
    rateHeaders(rateClass, { perSecond, burst }, bucket.tokens, waitS),
    { retryAfterS: waitS },
  );
}

function filled(bucket: Bucket | undefined, { perSecond, burst }: RateLimit, nowMs: number): Bucket {
  if (bucket === undefined) return { tokens: burst, filledAtMs: nowMs };
  const elapsedS = Math.max(0, nowMs - bucket.filledAtMs) / 1000;
  return { tokens: Math.min(burst, bucket.tokens + elapsedS * perSecond), filledAtMs: nowMs };
}

/**
 * Fields of draft-ietf-httpapi-ratelimit-headers-10. `w` is the time in which an empty bucket is full. `t` is the time
 * until more tokens are there; a full bucket gets none.
 */
function rateHeaders(
  rateClass: RateClass,
  { perSecond, burst }: RateLimit,
  tokens: number,
  waitS: number = Math.ceil(1 / perSecond),
): Readonly<Record<string, string>> {
  const reset = tokens < burst ? `;t=${waitS}` : "";
  return {
    "ratelimit-policy": `"${rateClass}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`,
    ratelimit: `"${rateClass}";r=${Math.floor(tokens)}${reset}`,
  };
}
