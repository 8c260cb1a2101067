import { ScenesRefused } from "../scenes-refused.ts";
import type { Coregistration } from "./scene-shift.ts";

/** Fewer windows that disagree may have been misled, by clouds for example: the result is then only less sure. */
const REFUSING_WINDOWS = 4;

/**
 * @param what the scenes, for the message
 * @throws {ScenesRefused} when scenes do not lie on each other and cannot be moved so that they do
 */
export function refuseDisplaced({ status, windows, agreeing, residualPx }: Coregistration, what: string): void {
  if (status !== "inconsistent" || windows < REFUSING_WINDOWS) return;
  throw new ScenesRefused(
    `${what} do not lie on each other: ${agreeing} of ${windows} windows agree on a shift, and half of them are more than ` +
      `${(residualPx ?? 0).toFixed(1)} pixels off it, 1 at most is expected`,
  );
}
