import type { HttpConfig } from "./http-config.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Headers of every answer that limit browsers: no guesses of media types, no frames, no addresses in `Referer`, which
 * would carry signatures. HTTPS only, where the public URL has it.
 */
export function securityHeaders({ publicUrl }: Pick<HttpConfig, "publicUrl">): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    ...(publicUrl?.startsWith("https:") === true ? { "strict-transport-security": `max-age=${YEAR_S}` } : {}),
  };
}
