import type { Clock } from "@swath/base/clock";
import type { Db } from "../platform/context.ts";
import { createGroupTiers } from "../platform/identity/group-tiers.ts";
import type { Rates } from "./admission.ts";
import type { HttpConfig } from "./http-config.ts";
import { createRateLimiter } from "./rate-limit.ts";

/** The limits of this process by its configuration. Tiers are read only where the configuration names some. */
export function ratesOf({ rateLimits, tierLimits }: HttpConfig, db: Db, clock: Clock): Rates {
  const limiter = rateLimits === null ? null : createRateLimiter(rateLimits, clock);
  if (limiter === null || tierLimits.size === 0) return { limiter, factorOf: () => 1 };
  const tierOf = createGroupTiers(db);
  const factorOf: Rates["factorOf"] = async ({ accountingGroupId, groupId }) => {
    const tier = await tierOf(accountingGroupId ?? groupId);
    return tier === null ? 1 : (tierLimits.get(tier) ?? 1);
  };
  return { limiter, factorOf };
}
