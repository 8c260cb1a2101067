import type { Clock } from "@swath/base/clock";
import type { Rates } from "./admission.ts";
import type { HttpConfig } from "./http-config.ts";
import { createRateLimiter } from "./rate-limit.ts";

/** The limits of this process by its configuration. */
export function ratesOf({ rateLimits, tierLimits }: HttpConfig, clock: Clock): Rates {
  const limiter = rateLimits === null ? null : createRateLimiter(rateLimits, clock);
  return { limiter, factorOf: ({ tier = null }) => (tier === null ? 1 : (tierLimits.get(tier) ?? 1)) };
}
