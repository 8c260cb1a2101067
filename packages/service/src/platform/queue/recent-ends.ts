import { LRUCache } from "lru-cache";
import type { PipelineProgress } from "../context.ts";

/** A pipeline that this process has ended with success, as stored. */
interface RecentEnd {
  readonly kind: string;
  readonly lane: string;
  readonly userId: string;
  readonly groupId: string;
  readonly progress: PipelineProgress | null;
  readonly resultJson: string;
  readonly modifiedAt: Date;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_RESULT_BYTES = 256 * 1024;
/** Members besides the result, about. */
const OVERHEAD_BYTES = 500;
/** Callers ask for the result at once, or never by way of memory. Far less than results are kept. */
const LIFETIME_MS = 60_000;

export type RecentEnds = Pick<LRUCache<string, RecentEnd>, "get" | "set">;

/**
 * Ends of quick pipelines, by ID. An ended pipeline never changes, so that the process which ran it answers the next
 * two requests without the database.
 */
export function createRecentEnds(): RecentEnds {
  return new LRUCache<string, RecentEnd>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_RESULT_BYTES,
    sizeCalculation: ({ resultJson }) => OVERHEAD_BYTES + 2 * resultJson.length,
    ttl: LIFETIME_MS,
  });
}
