import type { Satellite } from "./satellites.ts";
import { FRAMINGS } from "./seam-shift.ts";
import type { SwathPlan } from "./swath-plan.ts";

/**
 * The framing of all passes of a cycle. Missions that image every cell take all framings in turn, so that a seam
 * stays over no place. Passes of one cycle share it, so that they meet without gaps.
 */
export function framingOf(plan: SwathPlan, satellite: Satellite, cycle: number): number {
  if (plan.share !== null) return 0;
  return (((3 * cycle + satellite.seed) % FRAMINGS) + FRAMINGS) % FRAMINGS;
}
