import type { LightProfile } from "./light-profile.ts";

/** Fewer steps show no course of the light. */
const MIN_STEPS = 9;
/** Superstructures outshine decks and wakes by at least this factor of amplitude. */
const BRIDGE_LIGHT = 2;
/** Steps at least that much lighter than the middle one are of the bridge. */
const BRIDGE_EDGE = 1.5;
/** A bridge takes up no more of a ship and its wake than this. */
const MAX_BRIDGE = 0.34;
/** A wake is that much longer than the deck on the other side of the bridge. */
const WAKE_LONGER = 1.3;
const MIN_DECK_STEPS = 3;
/** Length of the stern behind the bridge, in parts of the rest of the hull. */
const STERN = 0.06;

/**
 * A ship and a wake as light as its deck: one slim thing, longer than ships are, with a light bridge in it. Bridges stand aft
 * and wakes begin astern, so that the deck is the shorter side.
 *
 * @returns which members are of the ship, or null where no bridge parts the two
 */
export function shipByBridge({ steps, light }: LightProfile): Uint8Array | null {
  const count = light.length;
  if (count < MIN_STEPS) return null;
  const middle = light.filter((value) => value > 0).toSorted();
  const usual = middle[middle.length >> 1]!;
  const peak = light.indexOf(Math.max(...light));
  if (!(light[peak]! > BRIDGE_LIGHT * usual)) return null;
  let [from, to] = [peak, peak];
  while (from > 0 && light[from - 1]! > BRIDGE_EDGE * usual) from--;
  while (to < count - 1 && light[to + 1]! > BRIDGE_EDGE * usual) to++;
  if (to - from + 1 > MAX_BRIDGE * count) return null;
  const [before, after] = [from, count - 1 - to];
  const isDeckBefore = before < after;
  const [deck, wake] = isDeckBefore ? [before, after] : [after, before];
  if (deck < MIN_DECK_STEPS || wake < WAKE_LONGER * deck) return null;
  const stern = Math.round(STERN * (deck + to - from + 1));
  return Uint8Array.from(steps, (step) => ((isDeckBefore ? step <= to + stern : step >= from - stern) ? 1 : 0));
}
