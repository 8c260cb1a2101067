import type { Clock } from "@swath/base/clock";
import { createRechecked } from "../../../platform/rechecked.ts";

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

/** @param read looks a link up */
export function createLinkStates(clock: Clock, read: (linkId: string) => Promise<boolean>): LinkStates {
  const states = createRechecked(clock, { everyMs: RECHECK_MS, max: REMEMBERED_LINKS }, read);
  return { isLive: (linkId) => states.read(linkId), forget: (linkId) => states.forget(linkId) };
}
