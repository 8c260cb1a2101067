import type { Satellite } from "./satellites.ts";

/** How far the seams between the cells of a pass lie from their nominal place. */
export interface SeamShift {
  /** Kilometres, forwards. */
  readonly alongKm: number;
  /** Kilometres, to the right. */
  readonly acrossKm: number;
  /** Whether the edges of the swath move with the seams inside. */
  readonly movesSwath: boolean;
}

export const NO_SHIFT: SeamShift = { alongKm: 0, acrossKm: 0, movesSwath: false };
/** No seam lies farther from its nominal place. */
export const MOST_SHIFT_KM = 5;

/** Framings of the same ground; framing 0 is the nominal one. */
export const FRAMINGS = 8;
const STEP_KM = (2 * MOST_SHIFT_KM) / FRAMINGS;

/** The shift of a framing. Swaths of a swarm move whole, for their members lie side by side with little overlap. */
export function seamShift(satellite: Satellite, framing: number): SeamShift {
  if (framing === 0) return NO_SHIFT;
  return {
    alongKm: centred(framing) * STEP_KM,
    // Another order than along, so that places under a seam of both kinds leave both.
    acrossKm: centred((3 * framing) % FRAMINGS) * STEP_KM,
    movesSwath: satellite.members > 1,
  };
}

/** From -4 to 3. */
function centred(framing: number): number {
  return framing < FRAMINGS / 2 ? framing : framing - FRAMINGS;
}
