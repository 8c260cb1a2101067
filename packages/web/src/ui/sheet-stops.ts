/** Heights at which the sheet of a phone rests, from low to high. */
export const STOPS = ["peek", "half", "full"] as const;
export type Stop = (typeof STOPS)[number];

/** Shares of the work area; a peek shows the count of what was found. */
const SHARES: Readonly<Record<Stop, number>> = { peek: 0.12, half: 0.54, full: 1 };

/** The stop nearest to a share of the height of the work area. */
export function nearestStop(share: number): Stop {
  const distance = (stop: Stop): number => Math.abs(SHARES[stop] - share);
  return STOPS.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best));
}
