import type { Clock } from "@swath/base/clock";
import { LRUCache } from "lru-cache";

/** A revoked link works in other processes for at most this long. */
const RECHECK_MS = 5_000;
/** A link is looked at by its viewers together; 10,000 entries of about 200 bytes. */
const REMEMBERED_LINKS = 10_000;

/** Whether links exist, read once per link in five seconds, however many tiles are asked for. */
export interface LinkStates {
  isLive(linkId: string): Promise<boolean>;
  /** After a change of the link by this process. */
  forget(linkId: string): void;
}

interface Reading {
  readonly live: Promise<boolean>;
  readonly readAtMs: number;
}

/** @param read looks a link up */
export function createLinkStates(clock: Clock, read: (linkId: string) => Promise<boolean>): LinkStates {
  const readings = new LRUCache<string, Reading>({ max: REMEMBERED_LINKS });
  return {
    async isLive(linkId) {
      const nowMs = clock.now().getTime();
      const known = readings.get(linkId);
      if (known !== undefined && nowMs - known.readAtMs < RECHECK_MS) return await known.live;
      const reading = { live: read(linkId), readAtMs: nowMs };
      readings.set(linkId, reading);
      try {
        return await reading.live;
      } catch (error) {
        // An outage of the database is no state of a link.
        if (readings.get(linkId) === reading) readings.delete(linkId);
        throw error;
      }
    },
    forget: (linkId) => void readings.delete(linkId),
  };
}
