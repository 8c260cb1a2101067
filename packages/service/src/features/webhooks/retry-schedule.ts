const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses before the attempts of a delivery, after Standard Webhooks; 75 hours in all. */
const PAUSES_MS = [
  0,
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Pause after so many failed attempts; null when there is no other. */
export function retryPauseMs(failed: number): number | null {
  return PAUSES_MS[failed] ?? null;
}
