import { LRUCache } from "lru-cache";
import type { Clock } from "@swath/base/clock";
import type { TokenClaims, TokenVerifier } from "./token-verifier.ts";

const CACHE_SIZE = 10_000;
/** A signature is checked again after this time, so that the withdrawal of a key ends its tokens; milliseconds. */
const CACHE_MS = 60_000;

/** The claims of tokens, with the verified ones kept for a minute, never beyond their expiry. */
export function rememberTokens(verifier: TokenVerifier, clock: Clock): TokenVerifier {
  const verified = new LRUCache<string, { readonly claims: TokenClaims; readonly verifiedAtMs: number }>({
    max: CACHE_SIZE,
  });
  return {
    async verify(token) {
      const nowMs = clock.now().getTime();
      const known = verified.get(token);
      if (known !== undefined && nowMs < known.claims.expiresAtMs && nowMs - known.verifiedAtMs < CACHE_MS) {
        return known.claims;
      }
      verified.delete(token);
      const claims = await verifier.verify(token);
      verified.set(token, { claims, verifiedAtMs: nowMs });
      return claims;
    },
  };
}
