import { LRUCache } from "lru-cache";
import type { Db } from "../context.ts";

/** A change of a tier takes effect within this time, milliseconds. */
const MAX_AGE_MS = 10_000;
const CACHE_SIZE = 10_000;

/** Tiers of the groups that pay, at most ten seconds old; null for a group without an account. */
export function createGroupTiers(db: Db): (groupId: string) => Promise<string | null> {
  const known = new LRUCache<string, { readonly tier: string | null }>({
    max: CACHE_SIZE,
    ttl: MAX_AGE_MS,
    fetchMethod: async (groupId) => {
      const row = await db
        .selectFrom("credit_groups")
        .select("tier")
        .where("group_id", "=", groupId)
        .executeTakeFirst();
      return { tier: row?.tier ?? null };
    },
  });
  return async (groupId) => (await known.forceFetch(groupId)).tier;
}
