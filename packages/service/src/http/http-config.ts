import type { RateLimits } from "./rate-limit.ts";
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from "./traffic/traffic-limits.ts";

export interface HttpConfig {
  /** Address clients reach the service under, without trailing slash; null: see `baseUrlOf`. */
  readonly publicUrl: string | null;
  /** Address or name that the server listens on. */
  readonly listensOn: string;
  /** Another first path segment that answers as `mapsvc` does; null for none. */
  readonly mapsvcAlias: string | null;
  /** Origins that browsers may call from; `"*"` for every origin, null for no CORS answers. */
  readonly corsOrigins: readonly string[] | "*" | null;
  /** Null switches rate limiting off. */
  readonly rateLimits: RateLimits | null;
  /** Factors of the limits by the tier of the group that pays; 1 for others. */
  readonly tierLimits: ReadonlyMap<string, number>;
  /** Believe `X-Forwarded-*`; only behind a proxy that sets them. */
  readonly trustProxy: boolean;
  /** Check every answer against its schema: for tests and development. */
  readonly validateResponses: boolean;
  readonly traffic: TrafficLimits;
  /** Login of the demonstration user, for readers on this machine; null: none is told. */
  readonly demonstration: { readonly email: string; readonly password: string } | null;
}

export const DEFAULT_HTTP_CONFIG: HttpConfig = {
  publicUrl: null,
  listensOn: "127.0.0.1",
  mapsvcAlias: null,
  corsOrigins: "*",
  rateLimits: {
    read: { perSecond: 500, burst: 1_000 },
    initiate: { perSecond: 200, burst: 1_000 },
    grid: { perSecond: 200, burst: 600 },
  },
  tierLimits: new Map(),
  trustProxy: false,
  validateResponses: false,
  traffic: DEFAULT_TRAFFIC_LIMITS,
  demonstration: null,
};
