import { LRUCache } from "lru-cache";
import type { RateClass } from "@swath/contract/kit/access";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { HttpConfig } from "./http-config.ts";

/** Callers remembered; a forgotten one starts with a full bucket. */
const MAX_BUCKETS = 100_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Takes one token of a caller. @throws {ServiceError} TOO-MANY-REQUESTS with `Retry-After` */
export type RateLimiter = (rateClass: RateClass, caller: string) => void;

/** A token bucket for every caller and class. */
export function createRateLimiter(limits: HttpConfig["rateLimits"], clock: Clock): RateLimiter {
  if (limits === null) return () => {};
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
  return (rateClass, caller) => {
    const { perSecond, burst } = limits[rateClass];
    const nowMs = clock.now().getTime();
    const key = `${rateClass} ${caller}`;
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: burst, filledAtMs: nowMs };
      buckets.set(key, bucket);
    }
    const elapsedS = Math.max(0, nowMs - bucket.filledAtMs) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedS * perSecond);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) {
      const waitS = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
      throw new ServiceError(
        "TOO-MANY-REQUESTS",
        `More than ${perSecond} requests of class ${rateClass} a second; try again in ${waitS} s`,
        { retryAfterS: waitS },
      );
    }
    bucket.tokens -= 1;
  };
}
