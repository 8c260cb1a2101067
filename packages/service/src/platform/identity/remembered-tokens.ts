import { LRUCache } from "lru-cache";
import type { Clock } from "@swath/base/clock";
import type { RightsChanges } from "./rights-changes.ts";
import type { TokenClaims, TokenVerifier } from "./token-verifier.ts";

const CACHE_SIZE = 10_000;
/** A signature is checked again after this time: keys of an external issuer are withdrawn unannounced. */
const CACHE_MS = 60_000;
/** And after this time while changes of signing keys may be missed. */
const UNWATCHED_MS = 1_000;

/** The claims of tokens, with the verified ones kept for a minute, never beyond their expiry. */
export function rememberTokens(verifier: TokenVerifier, clock: Clock, changes: RightsChanges): TokenVerifier {
  const verified = new LRUCache<string, { readonly claims: TokenClaims; readonly verifiedAtMs: number }>({
    max: CACHE_SIZE,
  });
  let generation = 0;
  changes.onChange((subject) => {
    if (subject !== null) return;
    generation += 1;
    verified.clear();
  });
  return {
    async verify(token) {
      const nowMs = clock.now().getTime();
      const known = verified.get(token);
      const goodForMs = changes.isCurrent() ? CACHE_MS : UNWATCHED_MS;
      if (known !== undefined && nowMs < known.claims.expiresAtMs && nowMs - known.verifiedAtMs < goodForMs) {
        return known.claims;
      }
      verified.delete(token);
      const startedIn = generation;
      const claims = await verifier.verify(token);
      if (startedIn === generation) verified.set(token, { claims, verifiedAtMs: nowMs });
      return claims;
    },
  };
}
